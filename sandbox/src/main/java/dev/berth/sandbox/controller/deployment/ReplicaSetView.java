package dev.berth.sandbox.controller.deployment;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.client.unstructured.JsonFields;
import dev.berth.sandbox.client.unstructured.ObjectMetaReader;
import java.util.Comparator;
import java.util.Optional;

/** A replica set as its deployment sees it. */
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

    /** How many pods it is asked to keep. */
    int replicas() {
        return JsonFields.intValue(object, 1, "spec", "replicas");
    }

    boolean isActive() {
        return replicas() > 0;
    }

    /** How many pods it says it has. */
    int statusReplicas() {
        return JsonFields.intValue(object, 0, "status", "replicas");
    }

    int readyReplicas() {
        return JsonFields.intValue(object, 0, "status", "readyReplicas");
    }

    int availableReplicas() {
        return JsonFields.intValue(object, 0, "status", "availableReplicas");
    }

    int terminatingReplicas() {
        return JsonFields.intValue(object, 0, "status", "terminatingReplicas");
    }

    /** Whether its controller has seen its newest spec. */
    boolean isObserved() {
        return JsonFields.at(object, "status", "observedGeneration").asLong(0) >= ObjectMetaReader.generation(object);
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

    /** Whether its pods are those of the deployment's template; the hash label is ours and does not count. */
    boolean hasTemplateOf(DeploymentView deployment) {
        return JsonFields.semanticallyEqual(
                withoutTemplateHash(JsonFields.copyOf(object, "spec", "template")),
                withoutTemplateHash(deployment.template()));
    }

    private static ObjectNode withoutTemplateHash(ObjectNode template) {
        if (JsonFields.at(template, "metadata", "labels") instanceof ObjectNode labels) {
            labels.remove(DeploymentAnnotations.TEMPLATE_HASH);
        }
        return template;
    }
}
