package dev.berth.core.door.device;

import dev.berth.core.cluster.Node;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The devices whose terms name their nodes neither by name nor by hostname. Which nodes these are is found out when the
 * device or the labels of a node change, and kept: decisions ask for each node. A device that is on no node costs them
 * nothing.
 */
final class LabelledDevices {
    /** A device is on one node. One whose terms match more than so many is compared with each node that is asked for. */
    private static final int FEW_NODES = 16;

    private final Map<String, Device> byUid = new HashMap<>();
    /** The names of nodes, by the UID of the device. */
    private final Map<String, TreeSet<String>> nodes = new HashMap<>();
    /** The names of devices, by their UIDs, by the name of the node. */
    private final Map<String, TreeMap<String, String>> byNode = new HashMap<>();
    /** The names of devices that are on too many nodes, by their UIDs. */
    private final Map<String, String> wide = new HashMap<>();

    /** @param its the nodes that the device is on */
    void put(Device device, List<Node> its) {
        remove(device);
        byUid.put(device.ref().uid(), device);
        nodes.put(device.ref().uid(), new TreeSet<>());
        its.forEach(node -> add(device, node.name()));
    }

    void remove(Device device) {
        String uid = device.ref().uid();
        byUid.remove(uid);
        wide.remove(uid);
        unfile(uid);
    }

    private void unfile(String uid) {
        Optional.ofNullable(nodes.remove(uid)).ifPresent(names -> names.forEach(name -> unfile(uid, name)));
    }

    private void unfile(String uid, String node) {
        byNode.computeIfPresent(node, (name, there) -> {
            there.remove(uid);
            return there.isEmpty() ? null : there;
        });
    }

    private void add(Device device, String node) {
        String uid = device.ref().uid();
        TreeSet<String> its = nodes.get(uid);
        if (its == null) {
            return;
        }
        its.add(node);
        byNode.computeIfAbsent(node, name -> new TreeMap<>()).put(uid, device.name());
        if (its.size() > FEW_NODES) {
            unfile(uid);
            wide.put(uid, device.name());
        }
    }

    /** The node is new, or its labels changed. */
    void seen(Node node) {
        gone(node.name());
        for (Device device : byUid.values()) {
            if (device.isOn(node)) {
                add(device, node.name());
            }
        }
    }

    void gone(String node) {
        Optional.ofNullable(byNode.remove(node))
                .ifPresent(there -> there.keySet()
                        .forEach(uid -> nodes.getOrDefault(uid, new TreeSet<>()).remove(node)));
    }

    /** The names of the nodes that the device is on; empty where the device is not here or on too many nodes. */
    Optional<Set<String>> nodesOf(Device device) {
        return device.equals(byUid.get(device.ref().uid()))
                ? Optional.ofNullable(nodes.get(device.ref().uid()))
                : Optional.empty();
    }

    /** On how many nodes the device is, or more than a few; empty where the device is not here. */
    OptionalInt countNodes(Device device) {
        if (wide.containsKey(device.ref().uid())) {
            return OptionalInt.of(FEW_NODES + 1);
        }
        Optional<Set<String>> its = nodesOf(device);
        return its.isEmpty() ? OptionalInt.empty() : OptionalInt.of(its.get().size());
    }

    /** The names of devices that may be on the node: those on too many nodes may not be. */
    Set<String> near(String node) {
        TreeSet<String> names = new TreeSet<>(wide.values());
        Optional.ofNullable(byNode.get(node)).ifPresent(there -> names.addAll(there.values()));
        return names;
    }
}
