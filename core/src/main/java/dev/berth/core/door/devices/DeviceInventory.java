package dev.berth.core.door.devices;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.persistent.TrieMap;
import dev.berth.core.persistent.TrieMultimap;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The devices, by name and by node. If several objects have one name, the first by API group takes effect. */
final class DeviceInventory {
    /** A message names at most this many nodes. */
    private static final int MAX_NODES_NAMED = 3;

    /** Sorted. The maps are immutable: each change replaces them with a copy. */
    private TrieMap<String, SortedMap<String, Device>> byName = TrieMap.empty();

    private TrieMultimap<String, String> byNodeName = TrieMultimap.empty();
    /** The devices whose terms name their node neither by name nor by hostname. */
    private final NodeLabelDeviceIndex labelled;
    /** The objects that are bound to a pod, by the UID of the pod. Copied on write as {@link #byName} is. */
    private TrieMap<PodUid, SortedMap<String, Device>> byPod = TrieMap.empty();

    /** Devices with the same resource and ID are one device only on the same node: every node has a gpu0. */
    private record IdentityOnNode(String identity, String nodeName) {}

    /** The names of objects, by the device that they describe and its node. */
    private TrieMultimap<IdentityOnNode, String> byIdentity = TrieMultimap.empty();

    private final DeviceNodeIndex nodes;

    /** Whether a device may be on several nodes, as of this version of the nodes. */
    private record CachedAmbiguity(long version, boolean ambiguous) {}

    /** By the UID of the device: placement filters node by node, and each computation searches all candidate nodes. */
    private final Map<String, CachedAmbiguity> ambiguityCache = new HashMap<>();

    DeviceInventory() {
        this(new NodeLabelDeviceIndex(), new DeviceNodeIndex());
    }

    private DeviceInventory(NodeLabelDeviceIndex labelled, DeviceNodeIndex nodes) {
        this.labelled = labelled;
        this.nodes = nodes;
    }

    /** A copy in constant time. Later changes of this inventory do not show in it. */
    DeviceInventory copy() {
        DeviceInventory copy = new DeviceInventory(labelled.copy(), nodes.copy());
        copy.byName = byName;
        copy.byNodeName = byNodeName;
        copy.byPod = byPod;
        copy.byIdentity = byIdentity;
        return copy;
    }

    DeviceNodeIndex nodes() {
        return nodes;
    }

    /** Adds or updates the node. Returns the names of the devices that this may affect. */
    Set<String> put(Node node) {
        Optional<Node> before = nodes.findByName(node.name());
        if (!nodes.put(node)) {
            return Set.of();
        }
        Set<String> affected = findCandidateNames(node);
        if (before.filter(it -> it.labels().equals(node.labels())).isEmpty()) {
            labelled.onUpsert(node);
            affected.addAll(labelled.findCandidateNames(node.name()));
        }
        return affected;
    }

    /** Removes the node. Returns the names of the devices that this may affect. */
    Set<String> remove(Node node) {
        Set<String> affected = findCandidateNames(node);
        nodes.remove(node);
        if (nodes.findByName(node.name()).isEmpty()) {
            labelled.onDelete(node.name());
        }
        return affected;
    }

    /** The nodes that the device may be on, sorted by name. */
    List<Node> findNodes(Device device) {
        return labelled.findNodes(device)
                .map(names -> names.stream()
                        .flatMap(name -> nodes.findByName(name).stream())
                        .toList())
                .orElseGet(() -> nodes.findNodes(device));
    }

    /** @param before the same object as it was observed before */
    void replace(Optional<Device> before, Device device) {
        Optional<List<Node>> itsNodes =
                before.filter(it -> it.nodeTerms().equals(device.nodeTerms())).map(this::findNodes);
        before.ifPresent(this::remove);
        byName = with(byName, device.name(), sortKey(device), device);
        device.binding()
                .user()
                .ifPresent(user -> byPod = with(byPod, user, device.ref().uid(), device));
        index(device, itsNodes);
    }

    /** Whether some device is bound to a pod. */
    boolean hasBoundDevices() {
        return !byPod.isEmpty();
    }

    /** The devices that are bound to the pod. If several objects have one name, the one that takes effect. */
    List<Device> findBoundTo(PodUid pod) {
        return valuesOf(byPod, pod).stream()
                .filter(device -> findByName(device.name())
                        .filter(preferred ->
                                preferred.ref().uid().equals(device.ref().uid()))
                        .isPresent())
                .toList();
    }

    void remove(Device device) {
        byName = without(byName, device.name(), sortKey(device));
        ambiguityCache.remove(device.ref().uid());
        unindex(device);
        device.binding()
                .user()
                .ifPresent(user -> byPod = without(byPod, user, device.ref().uid()));
        findAllByName(device.name()).forEach(other -> index(other, Optional.empty()));
    }

    private static <K> TrieMap<K, SortedMap<String, Device>> with(
            TrieMap<K, SortedMap<String, Device>> map, K key, String sortKey, Device device) {
        SortedMap<String, Device> changed = sorted(map, key);
        changed.put(sortKey, device);
        return map.with(key, changed);
    }

    private static <K> TrieMap<K, SortedMap<String, Device>> without(
            TrieMap<K, SortedMap<String, Device>> map, K key, String sortKey) {
        SortedMap<String, Device> changed = sorted(map, key);
        changed.remove(sortKey);
        return changed.isEmpty() ? map.without(key) : map.with(key, changed);
    }

    private static <K> SortedMap<String, Device> sorted(TrieMap<K, SortedMap<String, Device>> map, K key) {
        @Nullable SortedMap<String, Device> existing = map.get(key);
        return existing == null ? new TreeMap<>() : new TreeMap<>(existing);
    }

    private static <K> Collection<Device> valuesOf(TrieMap<K, SortedMap<String, Device>> map, K key) {
        @Nullable SortedMap<String, Device> existing = map.get(key);
        return existing == null ? List.of() : existing.values();
    }

    private static String sortKey(Device device) {
        return device.ref().group() + " " + device.ref().uid();
    }

    /** @param itsNodes the nodes of the device, if they are known */
    private void index(Device device, Optional<List<Node>> itsNodes) {
        identitiesOnNodes(device)
                .forEach(identityOnNode -> byIdentity = byIdentity.with(identityOnNode, device.name()));
        device.candidateNodeNames()
                .ifPresentOrElse(
                        homes -> homes.forEach(home -> byNodeName = byNodeName.with(home, device.name())),
                        () -> labelled.put(device, itsNodes.orElseGet(() -> findNodes(device))));
    }

    private void unindex(Device device) {
        identitiesOnNodes(device)
                .forEach(identityOnNode -> byIdentity = byIdentity.without(identityOnNode, device.name()));
        labelled.remove(device);
        device.candidateNodeNames()
                .orElse(Set.of())
                .forEach(home -> byNodeName = byNodeName.without(home, device.name()));
    }

    /** The device that takes effect under this name. */
    Optional<Device> findByName(String name) {
        return findAllByName(name).stream().findFirst();
    }

    /** All objects of this name. The first one takes effect. */
    Collection<Device> findAllByName(String name) {
        return valuesOf(byName, name);
    }

    private static List<IdentityOnNode> identitiesOnNodes(Device device) {
        return device.hasId()
                ? device.candidateNodeNames().orElse(Set.of()).stream()
                        .map(home -> new IdentityOnNode(device.identity(), home))
                        .toList()
                : List.of();
    }

    /** The other objects that describe the same device on one of its nodes, sorted by name. */
    List<Device> duplicatesOf(Device device) {
        if (!device.hasId()) {
            return List.of();
        }
        TreeSet<String> names = new TreeSet<>();
        findNodes(device).forEach(node -> names.addAll(findNamesByIdentity(device.identity(), node)));
        return names.stream()
                .filter(name -> !name.equals(device.name()))
                .flatMap(name -> findByName(name).stream())
                .filter(device::isDuplicateOf)
                .toList();
    }

    private Set<String> findNamesByIdentity(String identity, Node node) {
        Set<String> homes = new TreeSet<>();
        homes.add(node.name());
        node.labels().get(Node.HOSTNAME_LABEL).ifPresent(homes::add);
        Set<String> names = new TreeSet<>();
        homes.forEach(home -> byIdentity.addAllTo(names, new IdentityOnNode(identity, home)));
        names.addAll(labelled.findCandidateNames(node.name()));
        return names;
    }

    /** The names of devices that may be on the node. Some of them are on other nodes. */
    Set<String> findCandidateNames(Node node) {
        TreeSet<String> names = new TreeSet<>(labelled.findCandidateNames(node.name()));
        byNodeName.addAllTo(names, node.name());
        node.labels().get(Node.HOSTNAME_LABEL).ifPresent(host -> byNodeName.addAllTo(names, host));
        return names;
    }

    /** The devices on the node, sorted by name. */
    List<Device> findOn(Node node) {
        return findCandidateNames(node).stream()
                .flatMap(name -> findByName(name).stream())
                .filter(device -> device.isOn(node))
                .toList();
    }

    /** Whether a pod on the node can use the device, provided that no other pod uses it. */
    boolean isUsableOn(Device device, Node node) {
        return device.problem().isEmpty() && !nodes.isDown(node.name()) && !matchesSeveralNodes(device);
    }

    /** Whether the device matches several nodes. Then it is unknown on which of them it is. */
    boolean matchesSeveralNodes(Device device) {
        CachedAmbiguity existing = ambiguityCache.get(device.ref().uid());
        if (existing == null || existing.version != nodes.version()) {
            existing = new CachedAmbiguity(nodes.version(), countNodes(device) > 1);
            ambiguityCache.put(device.ref().uid(), existing);
        }
        return existing.ambiguous;
    }

    private int countNodes(Device device) {
        OptionalInt labelledNodes = labelled.countNodes(device);
        return labelledNodes.isPresent()
                ? labelledNodes.getAsInt()
                : nodes.findNodes(device).size();
    }

    /** Why no pod on any node can use the device; empty if a pod can use it. */
    Optional<String> unusableReason(Device device) {
        if (device.problem().isPresent()) {
            return device.problem();
        }
        Optional<Device> preferred = findByName(device.name());
        if (preferred.filter(it -> !it.ref().uid().equals(device.ref().uid())).isPresent()) {
            return Optional.of("Berth uses the object of the same name in the group %s"
                    .formatted(preferred.get().ref().group()));
        }
        if (device.nodeTerms().isEmpty()) {
            return Optional.of("spec.nodeAffinity.required has no term. Name the node of the device");
        }
        List<Node> nodesOfDevice = findNodes(device);
        if (nodesOfDevice.isEmpty()) {
            return Optional.of("no node matches spec.nodeAffinity.required");
        }
        return nodesOfDevice.stream().allMatch(node -> nodes.isDown(node.name()))
                ? Optional.of(
                        "Node %s is not ready".formatted(nodesOfDevice.get(0).name()))
                : Optional.empty();
    }

    /**
     * A message if the object matches several nodes, because a device is on one node only. A pod that has the device
     * keeps it; no other pod gets it.
     */
    Optional<String> severalNodesMessage(Device device) {
        List<String> nodesOfDevice = findNodes(device).stream().map(Node::name).toList();
        return nodesOfDevice.size() < 2
                ? Optional.empty()
                : Optional.of(
                        "spec.nodeAffinity.required matches %d nodes (%s%s): a device is on one node. Name only that node."
                                .formatted(
                                        nodesOfDevice.size(),
                                        String.join(
                                                ", ",
                                                nodesOfDevice.subList(
                                                        0, Math.min(nodesOfDevice.size(), MAX_NODES_NAMED))),
                                        nodesOfDevice.size() > MAX_NODES_NAMED ? ", …" : ""));
    }

    /** Updates which nodes are down at this time. Returns the names of the devices that this may affect. */
    Set<String> refreshDownNodes(Instant now) {
        TreeSet<String> affected = new TreeSet<>();
        nodes.refreshDownNodes(now).forEach(node -> affected.addAll(findCandidateNames(node)));
        return affected;
    }
}
