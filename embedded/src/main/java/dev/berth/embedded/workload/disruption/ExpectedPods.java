package dev.berth.embedded.workload.disruption;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.control.Mirrors;
import dev.berth.embedded.client.mirror.Cache;
import dev.berth.embedded.client.mirror.ObjectKey;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.object.Meta;
import dev.berth.embedded.client.object.OwnerReference;
import dev.berth.embedded.workload.control.IntOrPercent;
import dev.berth.embedded.workload.control.Owners;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How many pods a budget counts on, and how many of them must be healthy.
 *
 * @param unmanaged whether some pods belong to nobody, so that a share of them means nothing
 */
record ExpectedPods(int expected, int desiredHealthy, boolean unmanaged) {

    static ExpectedPods of(ObjectNode budget, List<ObjectNode> pods, Mirrors mirrors) {
        JsonNode maxUnavailable = Json.at(budget, "spec", "maxUnavailable");
        JsonNode minAvailable = Json.at(budget, "spec", "minAvailable");
        if (maxUnavailable.isValueNode() && !maxUnavailable.isNull()) {
            Scale scale = scale(pods, mirrors);
            int mayMiss = IntOrPercent.scaled(maxUnavailable, scale.sum(), true);
            return new ExpectedPods(scale.sum(), Math.max(0, scale.sum() - mayMiss), scale.unmanaged());
        }
        if (minAvailable.isIntegralNumber()) {
            return new ExpectedPods(pods.size(), minAvailable.intValue(), false);
        }
        if (minAvailable.isTextual()) {
            Scale scale = scale(pods, mirrors);
            return new ExpectedPods(
                    scale.sum(), IntOrPercent.scaled(minAvailable, scale.sum(), true), scale.unmanaged());
        }
        return new ExpectedPods(0, 0, false);
    }

    private record Scale(int sum, boolean unmanaged) {}

    /** The sum of what the controllers of the pods are asked to keep. */
    private static Scale scale(List<ObjectNode> pods, Mirrors mirrors) {
        Map<String, Integer> byController = new TreeMap<>();
        boolean unmanaged = false;
        for (ObjectNode pod : pods) {
            Optional<OwnerReference> owner = Meta.controllerOf(pod);
            if (owner.isEmpty()) {
                unmanaged = true;
            } else {
                ObjectNode controller = controller(pod, mirrors);
                byController.put(Meta.uid(controller), Json.number(controller, 1, "spec", "replicas"));
            }
        }
        int sum = byController.values().stream().mapToInt(Integer::intValue).sum();
        return new Scale(sum, unmanaged);
    }

    private static ObjectNode controller(ObjectNode pod, Mirrors mirrors) {
        Cache deployments = mirrors.of(Resource.DEPLOYMENTS);
        for (Resource kind : List.of(Resource.REPLICA_SETS, Resource.STATEFUL_SETS)) {
            Cache cache = mirrors.of(kind);
            Optional<ObjectNode> owner = Owners.controller(cache, pod).flatMap(cache::get);
            if (owner.isPresent()) {
                Optional<ObjectKey> deployment = Owners.controller(deployments, owner.get());
                return deployment.flatMap(deployments::get).orElse(owner.get());
            }
        }
        throw new IllegalStateException("found no controllers for pod \"%s\"".formatted(Meta.name(pod)));
    }
}
