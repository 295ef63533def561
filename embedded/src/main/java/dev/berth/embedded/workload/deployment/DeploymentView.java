package dev.berth.embedded.workload.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.object.Meta;
import dev.berth.embedded.workload.control.IntOrPercent;
import java.time.Duration;
import java.util.Optional;

/** What a Deployment asks for. */
record DeploymentView(ObjectNode object) {

    /** How new pods take the place of old ones. */
    enum Strategy {
        ROLLING_UPDATE,
        RECREATE
    }

    String name() {
        return Meta.name(object);
    }

    String namespace() {
        return Meta.namespace(object);
    }

    int replicas() {
        return Json.number(object, 1, "spec", "replicas");
    }

    boolean paused() {
        return Json.flag(object, "spec", "paused");
    }

    int minReadySeconds() {
        return Json.number(object, 0, "spec", "minReadySeconds");
    }

    ObjectNode template() {
        return Json.copyOf(object, "spec", "template");
    }

    Strategy strategy() {
        String type = Json.text(object, "spec", "strategy", "type");
        return switch (type) {
            case "Recreate" -> Strategy.RECREATE;
            case "RollingUpdate", "" -> Strategy.ROLLING_UPDATE;
            default ->
                throw new IllegalArgumentException(
                        "spec.strategy.type (%s) must be Recreate or RollingUpdate".formatted(type));
        };
    }

    boolean rolling() {
        return strategy() == Strategy.ROLLING_UPDATE;
    }

    /** The largest number means no deadline, as an absent one does. */
    Optional<Duration> progressDeadline() {
        int seconds = Json.number(object, Integer.MAX_VALUE, "spec", "progressDeadlineSeconds");
        return seconds == Integer.MAX_VALUE ? Optional.empty() : Optional.of(Duration.ofSeconds(seconds));
    }

    Optional<Integer> revisionHistoryLimit() {
        int limit = Json.number(object, Integer.MAX_VALUE, "spec", "revisionHistoryLimit");
        return limit == Integer.MAX_VALUE ? Optional.empty() : Optional.of(limit);
    }

    int maxSurge() {
        return rolling() ? surge() : 0;
    }

    /** At least one when surge is none either, for nothing could move otherwise. */
    int maxUnavailable() {
        if (!rolling() || replicas() == 0) {
            return 0;
        }
        int unavailable = IntOrPercent.scaled(bound("maxUnavailable"), replicas(), false);
        if (surge() == 0 && unavailable == 0) {
            unavailable = 1;
        }
        return Math.min(unavailable, replicas());
    }

    int minAvailable() {
        return replicas() - maxUnavailable();
    }

    /** The most pods of all replica sets together. */
    int maxReplicas() {
        return replicas() + maxSurge();
    }

    private int surge() {
        return IntOrPercent.scaled(bound("maxSurge"), replicas(), true);
    }

    private JsonNode bound(String name) {
        JsonNode value = Json.at(object, "spec", "strategy", "rollingUpdate", name);
        return value.isValueNode() && !value.isNull() ? value : IntNode.valueOf(0);
    }

    int collisions() {
        return Json.number(object, 0, "status", "collisionCount");
    }

    int status(String field) {
        return Json.number(object, 0, "status", field);
    }
}
