package dev.berth.sandbox.kubelet;

import dev.berth.sandbox.unstructured.StoredQuantity;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The nodes to register, named {@code prefix} and a number.
 *
 * @param firstNumber the number of the first node
 * @param capacity the resources of each node, also its allocatable ones
 * @param labels labels of each node besides those that every kubelet sets
 * @param zones given to the nodes in turn as {@code topology.kubernetes.io/zone}; none when empty
 * @param kubeletVersion the kubelet version in the node info
 */
public record NodePool(
        String prefix,
        int firstNumber,
        int count,
        SortedMap<String, String> capacity,
        Map<String, String> labels,
        List<String> zones,
        String kubeletVersion) {

    /** The address ranges of pods and nodes have room for this many nodes. */
    public static final int MAX_NODES = 60_000;

    public NodePool {
        if (count < 0 || firstNumber < 0 || firstNumber + count > MAX_NODES) {
            throw new IllegalArgumentException(
                    "nodes (%d, from number %d) must be between 0 and %d".formatted(count, firstNumber, MAX_NODES));
        }
        capacity = Collections.unmodifiableSortedMap(new TreeMap<>(capacity));
        capacity.forEach((name, amount) -> {
            if (StoredQuantity.parseIfValid(amount)
                    .filter(quantity -> quantity.signum() >= 0)
                    .isEmpty()) {
                throw new IllegalArgumentException(
                        "%s (%s) of the nodes must be a quantity of at least 0, such as 8, 500m or 32Gi"
                                .formatted(name, amount));
            }
        });
        labels = Map.copyOf(labels);
        zones = List.copyOf(zones);
    }

    /** That many nodes named {@code node-0}, {@code node-1} and so on. */
    public static NodePool of(int count, String cpu, String memory, int pods) {
        SortedMap<String, String> capacity = new TreeMap<>();
        capacity.put("cpu", cpu);
        capacity.put("memory", memory);
        capacity.put("pods", Integer.toString(pods));
        capacity.put("ephemeral-storage", "100Gi");
        return new NodePool("node-", 0, count, capacity, Map.of(), List.of(), "v1.36.4");
    }

    public NodePool withLabels(Map<String, String> more) {
        return new NodePool(prefix, firstNumber, count, capacity, more, zones, kubeletVersion);
    }

    public NodePool withZones(List<String> zoneNames) {
        return new NodePool(prefix, firstNumber, count, capacity, labels, zoneNames, kubeletVersion);
    }

    public NodePool withCapacity(String resource, String amount) {
        SortedMap<String, String> more = new TreeMap<>(capacity);
        more.put(resource, amount);
        return new NodePool(prefix, firstNumber, count, more, labels, zones, kubeletVersion);
    }

    /** The number of a node is also its index in the address ranges. */
    String nodeName(int number) {
        return prefix + number;
    }
}
