package dev.berth.core.door.device;

import dev.berth.core.cluster.Node;
import dev.berth.core.queue.Wake;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The nodes by the names that devices know them by, and which of them have been away for too long. */
final class NodeFile {
    /** For so long a node may be silent before its devices are given up. */
    static final Duration PATIENCE = Duration.ofMinutes(2);

    private final TreeMap<String, Node> byName = new TreeMap<>();
    private final Map<String, TreeSet<String>> byHostname = new HashMap<>();
    private final TreeMap<String, Instant> silent = new TreeMap<>();
    private Set<String> down = Set.of();
    private long version;

    /** Takes in the node; says whether anything about it matters to devices that did not before. */
    boolean put(Node node) {
        Optional<Node> before = Optional.ofNullable(byName.put(node.name(), node));
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
            before.ifPresent(this::unfile);
            file(node);
        }
        return !same;
    }

    /** A node that was registered anew meanwhile is another and stays. */
    void remove(Node node) {
        Node known = byName.get(node.name());
        if (known != null && known.uid().equals(node.uid())) {
            version++;
            byName.remove(node.name());
            unfile(known);
        }
    }

    private void file(Node node) {
        hostname(node)
                .ifPresent(host -> byHostname
                        .computeIfAbsent(host, name -> new TreeSet<>())
                        .add(node.name()));
        node.notReadySince().ifPresent(since -> silent.put(node.name(), since));
    }

    private void unfile(Node node) {
        hostname(node)
                .ifPresent(
                        host -> byHostname.getOrDefault(host, new TreeSet<>()).remove(node.name()));
        silent.remove(node.name());
    }

    private static Optional<String> hostname(Node node) {
        return node.labels().get(Node.HOSTNAME_LABEL);
    }

    Optional<Node> named(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /** The nodes that the device may be on, in the order of their names; where it has no home, all nodes are asked. */
    List<Node> of(Device device) {
        Optional<Set<String>> homes = device.homes();
        if (homes.isEmpty()) {
            return byName.values().stream().filter(device::isOn).toList();
        }
        TreeSet<String> names = new TreeSet<>(homes.get());
        homes.get().forEach(home -> names.addAll(byHostname.getOrDefault(home, new TreeSet<>())));
        List<Node> nodes = new ArrayList<>();
        for (String name : names) {
            Node node = byName.get(name);
            if (node != null && device.isOn(node)) {
                nodes.add(node);
            }
        }
        return nodes;
    }

    /** Changes whenever devices may be on other nodes than before. */
    long version() {
        return version;
    }

    boolean isDown(String node) {
        return down.contains(node);
    }

    /** Lets time pass; gives the nodes that went down or came back. */
    List<Node> advance(Instant now) {
        Set<String> before = down;
        Set<String> after = new TreeSet<>();
        silent.forEach((name, since) -> {
            if (!since.plus(PATIENCE).isAfter(now)) {
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

    /** When {@link #advance} will next have something to say. */
    Optional<Instant> nextWake() {
        Optional<Instant> next = Optional.empty();
        for (Map.Entry<String, Instant> entry : silent.entrySet()) {
            if (!down.contains(entry.getKey())) {
                next = Wake.earlier(next, Optional.of(entry.getValue().plus(PATIENCE)));
            }
        }
        return next;
    }
}
