package dev.berth.core.door.devices;

import dev.berth.core.cluster.Node;
import dev.berth.core.persistent.TrieMap;
import dev.berth.core.persistent.TrieMultimap;
import dev.berth.core.time.Instants;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The nodes by name and by hostname, and the nodes that have not been ready for too long. */
final class DeviceNodeIndex {
    /** The devices of a node that is not ready for longer than this are unavailable. */
    static final Duration NOT_READY_GRACE_PERIOD = Duration.ofMinutes(2);

    private TrieMap<String, Node> byName = TrieMap.empty();
    private TrieMultimap<String, String> byHostname = TrieMultimap.empty();
    private final TreeMap<String, Instant> notReadySince = new TreeMap<>();
    private Set<String> down = Set.of();
    private long version;

    /** A copy in constant time. No more nodes go down in it as time passes. */
    DeviceNodeIndex copy() {
        DeviceNodeIndex copy = new DeviceNodeIndex();
        copy.byName = byName;
        copy.byHostname = byHostname;
        copy.down = down;
        copy.version = version;
        return copy;
    }

    /** Adds or updates the node. Returns whether this may affect devices. */
    boolean put(Node node) {
        Optional<Node> before = findByName(node.name());
        byName = byName.with(node.name(), node);
        boolean samePlace = before.filter(
                        it -> it.labels().equals(node.labels()) && it.uid().equals(node.uid()))
                .isPresent();
        boolean same = samePlace
                && before.filter(it -> it.notReadySince().equals(node.notReadySince()))
                        .isPresent();
        if (!samePlace) {
            version++;
        }
        if (!same) {
            before.ifPresent(this::unindex);
            index(node);
        }
        return !same;
    }

    /** A node that was registered again under its name has another UID and is not removed. */
    void remove(Node node) {
        Node existing = byName.get(node.name());
        if (existing != null && existing.uid().equals(node.uid())) {
            version++;
            byName = byName.without(node.name());
            unindex(existing);
        }
    }

    private void index(Node node) {
        hostname(node).ifPresent(host -> byHostname = byHostname.with(host, node.name()));
        node.notReadySince().ifPresent(since -> notReadySince.put(node.name(), since));
    }

    private void unindex(Node node) {
        hostname(node).ifPresent(host -> byHostname = byHostname.without(host, node.name()));
        notReadySince.remove(node.name());
    }

    private static Optional<String> hostname(Node node) {
        return node.labels().get(Node.HOSTNAME_LABEL);
    }

    Optional<Node> findByName(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /** The nodes that the device may be on, sorted by name. If the device names no node, all nodes are compared. */
    List<Node> findNodes(Device device) {
        Optional<Set<String>> candidateNames = device.candidateNodeNames();
        if (candidateNames.isEmpty()) {
            return findAllNodes(device);
        }
        TreeSet<String> names = new TreeSet<>(candidateNames.get());
        candidateNames.get().forEach(candidateName -> byHostname.addAllTo(names, candidateName));
        List<Node> nodes = new ArrayList<>();
        for (String name : names) {
            Node node = byName.get(name);
            if (node != null && device.isOn(node)) {
                nodes.add(node);
            }
        }
        return nodes;
    }

    private List<Node> findAllNodes(Device device) {
        List<Node> found = new ArrayList<>();
        byName.forEach((name, node) -> {
            if (device.isOn(node)) {
                found.add(node);
            }
        });
        found.sort(Comparator.comparing(Node::name));
        return found;
    }

    /** Changes whenever the nodes of devices may change. */
    long version() {
        return version;
    }

    boolean isDown(String node) {
        return down.contains(node);
    }

    /** Updates which nodes are down at this time. Returns the nodes that went down or became ready. */
    List<Node> refreshDownNodes(Instant now) {
        Set<String> before = down;
        Set<String> after = new TreeSet<>();
        notReadySince.forEach((name, since) -> {
            if (!since.plus(NOT_READY_GRACE_PERIOD).isAfter(now)) {
                after.add(name);
            }
        });
        down = after;
        TreeSet<String> changed = new TreeSet<>(before);
        changed.addAll(after);
        changed.removeIf(name -> before.contains(name) && after.contains(name));
        return changed.stream()
                .flatMap(name -> Optional.ofNullable(byName.get(name)).stream())
                .toList();
    }

    /** When {@link #refreshDownNodes} will next return a node. */
    Optional<Instant> nextWake() {
        Optional<Instant> next = Optional.empty();
        for (Map.Entry<String, Instant> entry : notReadySince.entrySet()) {
            if (!down.contains(entry.getKey())) {
                next = Instants.earliest(next, Optional.of(entry.getValue().plus(NOT_READY_GRACE_PERIOD)));
            }
        }
        return next;
    }
}
