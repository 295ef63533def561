package dev.berth.core.resource;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The requests of a pod, as Kubernetes 1.36 computes them. For each resource this is the larger of two amounts: the
 * containers that run together, and the largest init container with the sidecars that started before it. Pod-level
 * requests replace that sum, and overhead is added. During a resize it is the maximum of the desired, the allocated and
 * the actuated requests.
 *
 * @param requests the amounts that count against the capacity of a node
 * @param scoring cpu and memory as scores count the pod once it is on a node: a container without requests counts as
 * {@code 100m} and {@code 200Mi}, unless the pod itself requests the resource
 * @param scoringWhenPlaced cpu and memory as LeastAllocated counts the pod while it is being placed: without pod-level
 * requests and status, as in Kubernetes 1.36
 */
public record PodRequests(Resources requests, Resources scoring, Resources scoringWhenPlaced) {
    private static final Map<ResourceName, Quantity> DEFAULTS =
            Map.of(ResourceName.CPU, Quantity.parse("100m"), ResourceName.MEMORY, Quantity.parse("200Mi"));

    public static PodRequests of(PodResources pod) {
        Map<ResourceName, Quantity> requests = sum(pod, Map.of(), true);
        Map<ResourceName, Quantity> defaults = defaults(pod, requests);
        Map<ResourceName, Quantity> scoring = defaults.isEmpty() ? requests : sum(pod, defaults, true);
        return new PodRequests(
                amounts(requests), cpuAndMemory(scoring), cpuAndMemory(sum(withoutOwn(pod), DEFAULTS, false)));
    }

    /** The amount for a container without a request; zero if the pod itself requests the resource. */
    private static Map<ResourceName, Quantity> defaults(PodResources pod, Map<ResourceName, Quantity> requests) {
        if (!requestsForItself(pod)) {
            return DEFAULTS;
        }
        Map<ResourceName, Quantity> missing = new HashMap<>(DEFAULTS);
        missing.keySet().removeAll(requests.keySet());
        return missing;
    }

    private static Map<ResourceName, Quantity> sum(
            PodResources pod, Map<ResourceName, Quantity> defaults, boolean useStatus) {
        Map<ResourceName, Quantity> sum = containers(pod, defaults, useStatus);
        if (requestsForItself(pod)) {
            Optional<Map<ResourceName, Quantity>> effective =
                    pod.reported().map(reported -> effective(pod, pod.requests(), reported));
            pod.requests().forEach((name, quantity) -> {
                if (isForPods(name)) {
                    sum.put(
                            name,
                            effective
                                    .map(map -> map.getOrDefault(name, Quantity.ZERO))
                                    .orElse(quantity));
                }
            });
        }
        add(sum, pod.overhead());
        return sum;
    }

    private static Map<ResourceName, Quantity> containers(
            PodResources pod, Map<ResourceName, Quantity> defaults, boolean useStatus) {
        Map<ResourceName, Quantity> running = new HashMap<>();
        for (PodResources.Container container : pod.containers()) {
            add(running, requests(pod, container, defaults, useStatus));
        }
        Map<ResourceName, Quantity> sidecars = new HashMap<>();
        Map<ResourceName, Quantity> starting = new HashMap<>();
        for (PodResources.Container container : pod.initContainers()) {
            Map<ResourceName, Quantity> own = requests(pod, container, defaults, useStatus && container.restartable());
            if (container.restartable()) {
                add(running, own);
                add(sidecars, own);
                raise(starting, sidecars);
            } else {
                Map<ResourceName, Quantity> alone = new HashMap<>(own);
                add(alone, sidecars);
                raise(starting, alone);
            }
        }
        raise(running, starting);
        return running;
    }

    private static Map<ResourceName, Quantity> requests(
            PodResources pod,
            PodResources.Container container,
            Map<ResourceName, Quantity> defaults,
            boolean useStatus) {
        Map<ResourceName, Quantity> own = useStatus && container.reported().isPresent()
                ? effective(pod, container.requests(), container.reported().get())
                : container.requests();
        if (defaults.isEmpty()) {
            return own;
        }
        Map<ResourceName, Quantity> filled = new HashMap<>(defaults);
        filled.putAll(own);
        return filled;
    }

    /** An infeasible resize does not count. Any other resize may still need all of it. */
    private static Map<ResourceName, Quantity> effective(
            PodResources pod, Map<ResourceName, Quantity> desired, PodResources.Reported reported) {
        Map<ResourceName, Quantity> most = new HashMap<>(pod.resizeInfeasible() ? Map.of() : desired);
        raise(most, reported.actuated());
        raise(most, reported.allocated());
        return most;
    }

    private static boolean requestsForItself(PodResources pod) {
        return pod.requests().keySet().stream().anyMatch(PodRequests::isForPods);
    }

    /** The resources that pod-level requests support. */
    private static boolean isForPods(ResourceName name) {
        return name.equals(ResourceName.CPU) || name.equals(ResourceName.MEMORY) || name.isHugePages();
    }

    private static PodResources withoutOwn(PodResources pod) {
        return new PodResources(
                pod.containers(), pod.initContainers(), Map.of(), pod.overhead(), Optional.empty(), false);
    }

    private static void add(Map<ResourceName, Quantity> sum, Map<ResourceName, Quantity> more) {
        more.forEach((name, quantity) -> sum.merge(name, quantity, Quantity::plus));
    }

    private static void raise(Map<ResourceName, Quantity> most, Map<ResourceName, Quantity> other) {
        other.forEach((name, quantity) -> most.merge(name, quantity, Quantity::max));
    }

    /** A pod slot is not requested: every pod takes one. */
    private static Resources amounts(Map<ResourceName, Quantity> quantities) {
        Map<ResourceName, Quantity> counted = new HashMap<>(quantities);
        counted.remove(ResourceName.PODS);
        return Resources.ofQuantities(counted);
    }

    private static Resources cpuAndMemory(Map<ResourceName, Quantity> quantities) {
        Map<ResourceName, Quantity> counted = new HashMap<>(quantities);
        counted.keySet().retainAll(DEFAULTS.keySet());
        return Resources.ofQuantities(counted);
    }
}
