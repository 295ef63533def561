package dev.berth.embedded.workload.deployment;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.object.Meta;
import java.util.Comparator;
import java.util.Optional;

/** A replica set as its deployment sees it. */
record ReplicaSetView(ObjectNode object) {
    static final Comparator<ReplicaSetView> OLDEST_FIRST = Comparator.comparing(
                    (ReplicaSetView set) -> Meta.createdAt(set.object))
            .thenComparing(ReplicaSetView::name);
    static final Comparator<ReplicaSetView> BY_REVISION =
            Comparator.comparingLong(ReplicaSetView::revision).thenComparing(OLDEST_FIRST);

    String name() {
        return Meta.name(object);
    }

    String uid() {
        return Meta.uid(object);
    }

    /** How many pods it is asked to keep. */
    int replicas() {
        return Json.number(object, 1, "spec", "replicas");
    }

    boolean active() {
        return replicas() > 0;
    }

    /** How many pods it says it has. */
    int actual() {
        return Json.number(object, 0, "status", "replicas");
    }

    int ready() {
        return Json.number(object, 0, "status", "readyReplicas");
    }

    int available() {
        return Json.number(object, 0, "status", "availableReplicas");
    }

    int terminating() {
        return Json.number(object, 0, "status", "terminatingReplicas");
    }

    /** Whether its controller has seen its newest spec. */
    boolean observed() {
        return Json.at(object, "status", "observedGeneration").asLong(0) >= Meta.generation(object);
    }

    long revision() {
        return Meta.annotation(object, Annotations.REVISION)
                .flatMap(Annotations::number)
                .orElse(0L);
    }

    Optional<Long> desiredReplicas() {
        return Meta.annotation(object, Annotations.DESIRED_REPLICAS).flatMap(Annotations::number);
    }

    Optional<Long> maxReplicas() {
        return Meta.annotation(object, Annotations.MAX_REPLICAS).flatMap(Annotations::number);
    }

    /** Whether its pods are those of the deployment's template; the hash label is ours and does not count. */
    boolean hasTemplateOf(DeploymentView deployment) {
        return Json.same(unlabelled(Json.copyOf(object, "spec", "template")), unlabelled(deployment.template()));
    }

    private static ObjectNode unlabelled(ObjectNode template) {
        if (Json.at(template, "metadata", "labels") instanceof ObjectNode labels) {
            labels.remove(Annotations.TEMPLATE_HASH);
        }
        return template;
    }
}
