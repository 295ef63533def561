package dev.berth.core.door.devices;

import dev.berth.core.cluster.Node;
import dev.berth.core.persistent.TrieMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The devices whose terms name their node neither by name nor by hostname. Their nodes are computed when the device or
 * the labels of a node change, because filters look them up for each node. A device on no node costs the filters
 * nothing.
 */
final class NodeLabelDeviceIndex {
    /**
     * A device is on one node. A device whose terms match more nodes than this is compared with each node at lookup.
     */
    private static final int MAX_INDEXED_NODES = 16;

    private TrieMap<String, Device> byUid = TrieMap.empty();
    /** The names of nodes, by the UID of the device. The sets are immutable: each change replaces them with a copy. */
    private TrieMap<String, Set<String>> nodes = TrieMap.empty();
    /** The names of devices, by their UIDs, by the name of the node. */
    private TrieMap<String, TrieMap<String, String>> byNode = TrieMap.empty();
    /** The names of devices with too many nodes, by their UIDs. */
    private TrieMap<String, String> onTooManyNodes = TrieMap.empty();

    /** A copy in constant time. Later changes of this index do not show in it. */
    NodeLabelDeviceIndex copy() {
        NodeLabelDeviceIndex copy = new NodeLabelDeviceIndex();
        copy.byUid = byUid;
        copy.nodes = nodes;
        copy.byNode = byNode;
        copy.onTooManyNodes = onTooManyNodes;
        return copy;
    }

    /** @param nodesOfDevice the nodes that the device is on */
    void put(Device device, List<Node> nodesOfDevice) {
        remove(device);
        byUid = byUid.with(device.ref().uid(), device);
        nodes = nodes.with(device.ref().uid(), Set.of());
        nodesOfDevice.forEach(node -> add(device, node.name()));
    }

    void remove(Device device) {
        String uid = device.ref().uid();
        byUid = byUid.without(uid);
        onTooManyNodes = onTooManyNodes.without(uid);
        unindex(uid);
    }

    private void unindex(String uid) {
        Set<String> names = Optional.ofNullable(nodes.get(uid)).orElse(Set.of());
        nodes = nodes.without(uid);
        names.forEach(name -> unindex(uid, name));
    }

    private void unindex(String uid, String node) {
        TrieMap<String, String> there = devicesOn(node).without(uid);
        byNode = there.isEmpty() ? byNode.without(node) : byNode.with(node, there);
    }

    private TrieMap<String, String> devicesOn(String node) {
        return Optional.ofNullable(byNode.get(node)).orElse(TrieMap.empty());
    }

    private void add(Device device, String node) {
        String uid = device.ref().uid();
        @Nullable Set<String> before = nodes.get(uid);
        if (before == null) {
            return;
        }
        Set<String> nodesOfDevice = new TreeSet<>(before);
        nodesOfDevice.add(node);
        nodes = nodes.with(uid, nodesOfDevice);
        byNode = byNode.with(node, devicesOn(node).with(uid, device.name()));
        if (nodesOfDevice.size() > MAX_INDEXED_NODES) {
            unindex(uid);
            onTooManyNodes = onTooManyNodes.with(uid, device.name());
        }
    }

    /** The node is new, or its labels changed. */
    void onUpsert(Node node) {
        onDelete(node.name());
        byUid.forEach((uid, device) -> {
            if (device.isOn(node)) {
                add(device, node.name());
            }
        });
    }

    void onDelete(String node) {
        TrieMap<String, String> there = devicesOn(node);
        byNode = byNode.without(node);
        there.forEach((uid, device) -> {
            Set<String> others =
                    new TreeSet<>(Optional.ofNullable(nodes.get(uid)).orElse(Set.of()));
            if (others.remove(node)) {
                nodes = nodes.with(uid, others);
            }
        });
    }

    /** The names of the device's nodes; empty if the device is not indexed or has too many nodes. */
    Optional<Set<String>> findNodes(Device device) {
        return device.equals(byUid.get(device.ref().uid()))
                ? Optional.ofNullable(nodes.get(device.ref().uid()))
                : Optional.empty();
    }

    /** The number of the device's nodes, or a number above the limit; empty if the device is not indexed. */
    OptionalInt countNodes(Device device) {
        if (onTooManyNodes.has(device.ref().uid())) {
            return OptionalInt.of(MAX_INDEXED_NODES + 1);
        }
        Optional<Set<String>> nodesOfDevice = findNodes(device);
        return nodesOfDevice.isEmpty()
                ? OptionalInt.empty()
                : OptionalInt.of(nodesOfDevice.get().size());
    }

    /** The names of devices that may be on the node. A device with too many nodes may be on other nodes. */
    Set<String> findCandidateNames(String node) {
        TreeSet<String> names = new TreeSet<>();
        onTooManyNodes.forEach((uid, name) -> names.add(name));
        devicesOn(node).forEach((uid, name) -> names.add(name));
        return names;
    }
}
