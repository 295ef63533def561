package dev.berth.sandbox.controller.deployment;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import dev.berth.sandbox.unstructured.SemanticEquality;
import java.util.Comparator;
import java.util.Optional;

/** Reads a ReplicaSet for its Deployment. */
record ReplicaSetView(ObjectNode object) {
    static final Comparator<ReplicaSetView> OLDEST_FIRST = Comparator.comparing(
                    (ReplicaSetView set) -> ObjectMetaReader.creationTimestamp(set.object))
            .thenComparing(ReplicaSetView::name);
    static final Comparator<ReplicaSetView> BY_REVISION =
            Comparator.comparingLong(ReplicaSetView::revision).thenComparing(OLDEST_FIRST);

    String name() {
        return ObjectMetaReader.name(object);
    }

    String uid() {
        return ObjectMetaReader.uid(object);
    }

    /** The replicas in its spec. */
    int replicas() {
        return NestedFields.intValue(object, 1, "spec", "replicas");
    }

    boolean isActive() {
        return replicas() > 0;
    }

    /** The replicas in its status. */
    int statusReplicas() {
        return NestedFields.intValue(object, 0, "status", "replicas");
    }

    int readyReplicas() {
        return NestedFields.intValue(object, 0, "status", "readyReplicas");
    }

    int availableReplicas() {
        return NestedFields.intValue(object, 0, "status", "availableReplicas");
    }

    int terminatingReplicas() {
        return NestedFields.intValue(object, 0, "status", "terminatingReplicas");
    }

    /** Whether its controller has observed the newest spec. */
    boolean isObserved() {
        return NestedFields.at(object, "status", "observedGeneration").asLong(0) >= ObjectMetaReader.generation(object);
    }

    long revision() {
        return ObjectMetaReader.annotation(object, DeploymentAnnotations.REVISION)
                .flatMap(DeploymentAnnotations::number)
                .orElse(0L);
    }

    Optional<Long> desiredReplicas() {
        return ObjectMetaReader.annotation(object, DeploymentAnnotations.DESIRED_REPLICAS)
                .flatMap(DeploymentAnnotations::number);
    }

    Optional<Long> maxReplicas() {
        return ObjectMetaReader.annotation(object, DeploymentAnnotations.MAX_REPLICAS)
                .flatMap(DeploymentAnnotations::number);
    }

    /** Whether its template equals that of the Deployment, without the pod-template-hash label. */
    boolean hasTemplateOf(DeploymentView deployment) {
        return SemanticEquality.areEqual(
                withoutTemplateHash(NestedFields.copyOf(object, "spec", "template")),
                withoutTemplateHash(deployment.template()));
    }

    private static ObjectNode withoutTemplateHash(ObjectNode template) {
        if (NestedFields.at(template, "metadata", "labels") instanceof ObjectNode labels) {
            labels.remove(DeploymentAnnotations.TEMPLATE_HASH);
        }
        return template;
    }
}
