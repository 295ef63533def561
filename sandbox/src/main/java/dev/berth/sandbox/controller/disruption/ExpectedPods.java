package dev.berth.sandbox.controller.disruption;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.client.informer.InformerCache;
import dev.berth.sandbox.client.informer.NamespacedName;
import dev.berth.sandbox.client.informer.SharedInformerFactory;
import dev.berth.sandbox.controller.util.ControllerRefs;
import dev.berth.sandbox.controller.util.IntOrPercent;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import dev.berth.sandbox.unstructured.OwnerReference;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How many pods a budget expects, and how many of them must be healthy.
 *
 * @param unmanaged whether some pods have no controller, so that a percentage has no meaning
 */
record ExpectedPods(int expected, int desiredHealthy, boolean unmanaged) {

    static ExpectedPods compute(ObjectNode budget, List<ObjectNode> pods, SharedInformerFactory sharedInformerFactory) {
        JsonNode maxUnavailable = NestedFields.at(budget, "spec", "maxUnavailable");
        JsonNode minAvailable = NestedFields.at(budget, "spec", "minAvailable");
        if (maxUnavailable.isValueNode() && !maxUnavailable.isNull()) {
            ExpectedScale scale = scale(pods, sharedInformerFactory);
            int maxUnavailablePods = IntOrPercent.scaled(maxUnavailable, scale.sum(), true);
            return new ExpectedPods(scale.sum(), Math.max(0, scale.sum() - maxUnavailablePods), scale.unmanaged());
        }
        if (minAvailable.isIntegralNumber()) {
            return new ExpectedPods(pods.size(), minAvailable.intValue(), false);
        }
        if (minAvailable.isTextual()) {
            ExpectedScale scale = scale(pods, sharedInformerFactory);
            return new ExpectedPods(
                    scale.sum(), IntOrPercent.scaled(minAvailable, scale.sum(), true), scale.unmanaged());
        }
        return new ExpectedPods(0, 0, false);
    }

    private record ExpectedScale(int sum, boolean unmanaged) {}

    /** The sum of the replicas in the specs of the controllers. */
    private static ExpectedScale scale(List<ObjectNode> pods, SharedInformerFactory sharedInformerFactory) {
        Map<String, Integer> byController = new TreeMap<>();
        boolean unmanaged = false;
        for (ObjectNode pod : pods) {
            Optional<OwnerReference> owner = ObjectMetaReader.controllerOf(pod);
            if (owner.isEmpty()) {
                unmanaged = true;
            } else {
                ObjectNode controller = controller(pod, sharedInformerFactory);
                byController.put(
                        ObjectMetaReader.uid(controller), NestedFields.intValue(controller, 1, "spec", "replicas"));
            }
        }
        int sum = byController.values().stream().mapToInt(Integer::intValue).sum();
        return new ExpectedScale(sum, unmanaged);
    }

    private static ObjectNode controller(ObjectNode pod, SharedInformerFactory sharedInformerFactory) {
        InformerCache deployments = sharedInformerFactory.cacheFor(RestMapping.DEPLOYMENTS);
        for (RestMapping kind : List.of(RestMapping.REPLICA_SETS, RestMapping.STATEFUL_SETS)) {
            InformerCache cache = sharedInformerFactory.cacheFor(kind);
            Optional<ObjectNode> owner =
                    ControllerRefs.findController(cache, pod).flatMap(cache::get);
            if (owner.isPresent()) {
                Optional<NamespacedName> deployment = ControllerRefs.findController(deployments, owner.get());
                return deployment.flatMap(deployments::get).orElse(owner.get());
            }
        }
        throw new IllegalStateException("found no controllers for pod \"%s\"".formatted(ObjectMetaReader.name(pod)));
    }
}
