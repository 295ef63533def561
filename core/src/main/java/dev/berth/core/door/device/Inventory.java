package dev.berth.core.door.device;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.PodUid;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The devices that there are, by name and by node. Of several objects of one name the first by group counts. */
final class Inventory {
    /** So many nodes a message names. */
    private static final int NODES_NAMED = 3;

    private final Map<String, Device> byUid = new HashMap<>();
    private final Map<String, TreeMap<String, Device>> byName = new HashMap<>();
    private final Map<String, TreeSet<String>> byHome = new HashMap<>();
    /** Those without a home. */
    private final LabelledDevices labelled = new LabelledDevices();
    /** The objects that say which pod has them, by its UID. */
    private final Map<PodUid, TreeMap<String, Device>> byPod = new HashMap<>();

    /** Devices of one resource and ID are one device only on the same node: gpu0 is on every node. */
    private record Place(String identity, String home) {}

    /** The names of objects by the device that they say they are, and where. */
    private final Map<Place, TreeSet<String>> byPlace = new HashMap<>();

    private final NodeFile nodes = new NodeFile();

    /** Whether a device may be on several nodes, as the nodes were at the version. */
    private record Spread(long version, boolean several) {}

    /** By the UID of the device: placement asks once for each node, and the answer takes a search. */
    private final Map<String, Spread> spreads = new HashMap<>();

    NodeFile nodes() {
        return nodes;
    }

    /** Takes in the node; gives the names of the devices that this may matter to. */
    Set<String> put(Node node) {
        Optional<Node> before = nodes.named(node.name());
        if (!nodes.put(node)) {
            return Set.of();
        }
        Set<String> touched = near(node);
        if (before.filter(it -> it.labels().equals(node.labels())).isEmpty()) {
            labelled.seen(node);
            touched.addAll(labelled.near(node.name()));
        }
        return touched;
    }

    /** The node is gone; gives the names of the devices that this may matter to. */
    Set<String> remove(Node node) {
        Set<String> touched = near(node);
        nodes.remove(node);
        if (nodes.named(node.name()).isEmpty()) {
            labelled.gone(node.name());
        }
        return touched;
    }

    /** The nodes that the device may be on, in the order of their names. */
    List<Node> nodesOf(Device device) {
        return labelled.nodesOf(device)
                .map(names -> names.stream()
                        .flatMap(name -> nodes.named(name).stream())
                        .toList())
                .orElseGet(() -> nodes.of(device));
    }

    void put(Device device) {
        Optional<List<Node>> itsNodes = find(device.ref().uid())
                .filter(before -> before.nodes().equals(device.nodes()))
                .map(this::nodesOf);
        remove(device.ref().uid());
        byUid.put(device.ref().uid(), device);
        byName.computeIfAbsent(device.name(), name -> new TreeMap<>()).put(order(device), device);
        device.link()
                .user()
                .ifPresent(user -> byPod.computeIfAbsent(user, pod -> new TreeMap<>())
                        .put(device.ref().uid(), device));
        file(device, itsNodes);
    }

    /** The object of this UID as it was last seen. */
    Optional<Device> find(String uid) {
        return Optional.ofNullable(byUid.get(uid));
    }

    /** Whether some device says which pod has it. */
    boolean namesPods() {
        return !byPod.isEmpty();
    }

    /** The devices that say the pod has them; of several objects of one name the one that counts. */
    List<Device> linkedTo(PodUid pod) {
        return byPod.getOrDefault(pod, new TreeMap<>()).values().stream()
                .filter(device -> named(device.name())
                        .filter(counting ->
                                counting.ref().uid().equals(device.ref().uid()))
                        .isPresent())
                .toList();
    }

    Optional<Device> remove(String uid) {
        Optional<Device> known = Optional.ofNullable(byUid.remove(uid));
        known.ifPresent(device -> {
            TreeMap<String, Device> alike = byName.getOrDefault(device.name(), new TreeMap<>());
            alike.remove(order(device));
            spreads.remove(uid);
            unfile(device);
            unlink(device);
            if (alike.isEmpty()) {
                byName.remove(device.name());
            } else {
                alike.values().forEach(other -> file(other, Optional.empty()));
            }
        });
        return known;
    }

    private void unlink(Device device) {
        device.link()
                .user()
                .ifPresent(user -> byPod.computeIfPresent(user, (pod, linked) -> {
                    linked.remove(device.ref().uid());
                    return linked.isEmpty() ? null : linked;
                }));
    }

    private static String order(Device device) {
        return device.ref().group() + " " + device.ref().uid();
    }

    /** @param itsNodes if they are known */
    private void file(Device device, Optional<List<Node>> itsNodes) {
        places(device)
                .forEach(place ->
                        byPlace.computeIfAbsent(place, same -> new TreeSet<>()).add(device.name()));
        device.homes()
                .ifPresentOrElse(
                        homes -> homes.forEach(home -> byHome.computeIfAbsent(home, name -> new TreeSet<>())
                                .add(device.name())),
                        () -> labelled.put(device, itsNodes.orElseGet(() -> nodesOf(device))));
    }

    private void unfile(Device device) {
        places(device)
                .forEach(place -> byPlace.computeIfPresent(place, (same, names) -> {
                    names.remove(device.name());
                    return names.isEmpty() ? null : names;
                }));
        labelled.remove(device);
        device.homes().orElse(Set.of()).forEach(home -> {
            TreeSet<String> there = byHome.getOrDefault(home, new TreeSet<>());
            there.remove(device.name());
            if (there.isEmpty()) {
                byHome.remove(home);
            }
        });
    }

    /** The device of this name that counts. */
    Optional<Device> named(String name) {
        return all(name).stream().findFirst();
    }

    /** All objects of this name, the one that counts first. */
    Collection<Device> all(String name) {
        return byName.getOrDefault(name, new TreeMap<>()).values();
    }

    private static List<Place> places(Device device) {
        return device.hasId()
                ? device.homes().orElse(Set.of()).stream()
                        .map(home -> new Place(device.identity(), home))
                        .toList()
                : List.of();
    }

    /** The other objects that stand for the same device on one of its nodes, in the order of their names. */
    List<Device> duplicatesOf(Device device) {
        if (!device.hasId()) {
            return List.of();
        }
        TreeSet<String> names = new TreeSet<>();
        nodesOf(device).forEach(node -> names.addAll(filedAt(device.identity(), node)));
        return names.stream()
                .filter(name -> !name.equals(device.name()))
                .flatMap(name -> named(name).stream())
                .filter(device::isDuplicateOf)
                .toList();
    }

    private Set<String> filedAt(String identity, Node node) {
        Set<String> homes = new TreeSet<>();
        homes.add(node.name());
        node.labels().get(Node.HOSTNAME_LABEL).ifPresent(homes::add);
        Set<String> names = new TreeSet<>();
        homes.forEach(home -> names.addAll(byPlace.getOrDefault(new Place(identity, home), new TreeSet<>())));
        names.addAll(labelled.near(node.name()));
        return names;
    }

    /** The names of devices that may be on the node: some are not. */
    Set<String> near(Node node) {
        TreeSet<String> names = new TreeSet<>(labelled.near(node.name()));
        names.addAll(byHome.getOrDefault(node.name(), new TreeSet<>()));
        node.labels()
                .get(Node.HOSTNAME_LABEL)
                .ifPresent(host -> names.addAll(byHome.getOrDefault(host, new TreeSet<>())));
        return names;
    }

    /** The devices on the node, in the order of their names. */
    List<Device> on(Node node) {
        return near(node).stream()
                .flatMap(name -> named(name).stream())
                .filter(device -> device.isOn(node))
                .toList();
    }

    /** Whether somebody on the node could use the device, if nobody else does. */
    boolean usableOn(Device device, Node node) {
        return device.problem().isEmpty() && !nodes.isDown(node.name()) && !isOnSeveralNodes(device);
    }

    /** Whether the device matches several nodes, so that it is not known on which one it is. */
    boolean isOnSeveralNodes(Device device) {
        Spread known = spreads.get(device.ref().uid());
        if (known == null || known.version != nodes.version()) {
            known = new Spread(nodes.version(), countNodes(device) > 1);
            spreads.put(device.ref().uid(), known);
        }
        return known.several;
    }

    private int countNodes(Device device) {
        OptionalInt labelledNodes = labelled.countNodes(device);
        return labelledNodes.isPresent()
                ? labelledNodes.getAsInt()
                : nodes.of(device).size();
    }

    /** Why nobody can use the device as it is, wherever; empty when somebody could. */
    Optional<String> lack(Device device) {
        if (device.problem().isPresent()) {
            return device.problem();
        }
        Optional<Device> counting = named(device.name());
        if (counting.filter(it -> !it.ref().uid().equals(device.ref().uid())).isPresent()) {
            return Optional.of("there is another of this name in the group %s"
                    .formatted(counting.get().ref().group()));
        }
        if (device.nodes().isEmpty()) {
            return Optional.of("spec.nodeAffinity.required says of no node that the device is there");
        }
        List<Node> its = nodesOf(device);
        if (its.isEmpty()) {
            return Optional.of("no node matches spec.nodeAffinity.required");
        }
        return its.stream().allMatch(node -> nodes.isDown(node.name()))
                ? Optional.of("Node %s is not ready".formatted(its.get(0).name()))
                : Optional.empty();
    }

    /** That the object may be on several nodes, which no device is: a pod that has it keeps it, no other gets it. */
    Optional<String> severalNodes(Device device) {
        List<String> its = nodesOf(device).stream().map(Node::name).toList();
        return its.size() < 2
                ? Optional.empty()
                : Optional.of(
                        "spec.nodeAffinity.required matches %d nodes (%s%s): a device is on one node. Name the node that it is on."
                                .formatted(
                                        its.size(),
                                        String.join(", ", its.subList(0, Math.min(its.size(), NODES_NAMED))),
                                        its.size() > NODES_NAMED ? ", …" : ""));
    }

    /** Lets time pass; gives the names of devices that this may matter to. */
    Set<String> advance(Instant now) {
        TreeSet<String> touched = new TreeSet<>();
        nodes.advance(now).forEach(node -> touched.addAll(near(node)));
        return touched;
    }
}
