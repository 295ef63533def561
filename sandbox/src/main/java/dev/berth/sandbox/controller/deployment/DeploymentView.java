package dev.berth.sandbox.controller.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.controller.util.IntOrPercent;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import java.time.Duration;
import java.util.Optional;

/** Reads the spec of a Deployment. */
record DeploymentView(ObjectNode object) {

    /** The strategy of the rollout. */
    enum Strategy {
        ROLLING_UPDATE,
        RECREATE
    }

    String name() {
        return ObjectMetaReader.name(object);
    }

    String namespace() {
        return ObjectMetaReader.namespace(object);
    }

    int replicas() {
        return NestedFields.intValue(object, 1, "spec", "replicas");
    }

    boolean isPaused() {
        return NestedFields.flag(object, "spec", "paused");
    }

    int minReadySeconds() {
        return NestedFields.intValue(object, 0, "spec", "minReadySeconds");
    }

    ObjectNode template() {
        return NestedFields.copyOf(object, "spec", "template");
    }

    Strategy strategy() {
        String type = NestedFields.text(object, "spec", "strategy", "type");
        return switch (type) {
            case "Recreate" -> Strategy.RECREATE;
            case "RollingUpdate", "" -> Strategy.ROLLING_UPDATE;
            default ->
                throw new IllegalArgumentException(
                        "spec.strategy.type (%s) must be Recreate or RollingUpdate".formatted(type));
        };
    }

    boolean isRollingUpdate() {
        return strategy() == Strategy.ROLLING_UPDATE;
    }

    /** The largest number means no deadline, and so does an absent number. */
    Optional<Duration> progressDeadline() {
        int seconds = NestedFields.intValue(object, Integer.MAX_VALUE, "spec", "progressDeadlineSeconds");
        return seconds == Integer.MAX_VALUE ? Optional.empty() : Optional.of(Duration.ofSeconds(seconds));
    }

    Optional<Integer> revisionHistoryLimit() {
        int limit = NestedFields.intValue(object, Integer.MAX_VALUE, "spec", "revisionHistoryLimit");
        return limit == Integer.MAX_VALUE ? Optional.empty() : Optional.of(limit);
    }

    int maxSurge() {
        return isRollingUpdate() ? surge() : 0;
    }

    /** At least one if the surge is zero. Otherwise the rollout could not make progress. */
    int maxUnavailable() {
        if (!isRollingUpdate() || replicas() == 0) {
            return 0;
        }
        int unavailable = IntOrPercent.scaled(rollingUpdateField("maxUnavailable"), replicas(), false);
        if (surge() == 0 && unavailable == 0) {
            unavailable = 1;
        }
        return Math.min(unavailable, replicas());
    }

    int minAvailable() {
        return replicas() - maxUnavailable();
    }

    /** The maximum number of pods of all ReplicaSets together. */
    int maxReplicas() {
        return replicas() + maxSurge();
    }

    private int surge() {
        return IntOrPercent.scaled(rollingUpdateField("maxSurge"), replicas(), true);
    }

    private JsonNode rollingUpdateField(String name) {
        JsonNode value = NestedFields.at(object, "spec", "strategy", "rollingUpdate", name);
        return value.isValueNode() && !value.isNull() ? value : IntNode.valueOf(0);
    }

    int collisions() {
        return NestedFields.intValue(object, 0, "status", "collisionCount");
    }

    int statusCount(String field) {
        return NestedFields.intValue(object, 0, "status", field);
    }
}
