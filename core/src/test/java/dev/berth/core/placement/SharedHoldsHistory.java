package dev.berth.core.placement;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeAffinity;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodSpec;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Workload;
import dev.berth.core.hold.AllocatePolicy;
import dev.berth.core.hold.Draw;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import dev.berth.core.hold.Owner;
import dev.berth.core.hold.ReservationInfo;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.placement.Placement.Placed;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.profile.Profiles;
import dev.berth.core.reference.ReferencePlacer;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/**
 * Pods of many classes, and holds for them on most nodes: holds of one selector or of several, shared and partly used, that
 * open, close, grow, shrink and move, while nodes and the pods of other schedulers change. Each step draws from its own random
 * numbers, as in {@link PlacementHistory}.
 */
final class SharedHoldsHistory {
    private static final long MIB = 1 << 20;
    private static final ResourceName GPU = new ResourceName("example.com/gpu");
    private static final int SETUP = -1;

    private final long seed;
    private final Counts counts;
    private final Ledger ledger;
    private final Placer placer;
    private final ReferencePlacer slow;
    private final boolean ordered;
    private final List<Node> nodes = new ArrayList<>();
    private final List<Pod> pods = new ArrayList<>();
    private final List<PodSpec> templates = new ArrayList<>();
    private final TreeMap<String, HoldId> holds = new TreeMap<>();

    private SharedHoldsHistory(long seed, Counts counts) {
        this.seed = seed;
        this.counts = counts;
        RandomCluster world = RandomCluster.of(seed, SETUP);
        this.ledger = new Ledger(world.any(8, 64, 16_384));
        Profile profile = RandomProfile.draw(world);
        long capacity = world.any(0L, 40_000L, 64L << 20);
        this.placer = new Placer(ledger, Profiles.forAllPods(profile), List.of(), capacity);
        this.slow = new ReferencePlacer(ledger, profile, List.of());
        this.ordered = world.chance(15);
        for (int i = world.any(6, 12, 30); i > 0; i--) {
            putNode(node(world, i));
        }
        for (int i = world.any(2, 6, 12); i > 0; i--) {
            templates.add(template(world));
        }
        for (Node node : nodes) {
            for (int i = world.any(1, 1, 2, 4); i > 0; i--) {
                putHold(hold(world, node.name() + "-" + i, node.uid()));
            }
        }
        if (world.chance(50)) {
            LabelSelector selector = LabelSelector.of(Labels.of("app", world.any("a", "b")));
            ledger.put(new Workload(Workload.Kind.SERVICE, "default", "spread", selector));
        }
    }

    /** How many pods were placed by a hold, by free room, and not at all. */
    static final class Counts {
        int byHold;
        int byFreeRoom;
        int refused;
        int unfinished;

        int rarest() {
            return Math.min(Math.min(byHold, byFreeRoom), Math.min(refused, unfinished));
        }

        @Override
        public String toString() {
            return "%d placed by a hold, %d by free room, %d refused, %d unfinished"
                    .formatted(byHold, byFreeRoom, refused, unfinished);
        }
    }

    /** Plays the steps in their order; what went wrong first, if anything. */
    static Optional<String> play(long seed, List<Integer> steps, Counts counts) {
        return RandomCluster.play(steps, new SharedHoldsHistory(seed, counts)::step);
    }

    private Optional<String> step(int number) {
        RandomCluster world = RandomCluster.of(seed, number);
        switch (world.any(0, 0, 0, 0, 0, 1, 1, 2, 2, 3, 4, 5)) {
            case 1 -> removePod(world);
            case 2 -> changeHold(world, number);
            case 3 -> changeNode(world);
            case 4 -> bindOtherPod(world, number);
            case 5 -> ledger.put(world.namespace());
            default -> {}
        }
        return compare(world, "pod-" + number);
    }

    private Optional<String> compare(RandomCluster world, String name) {
        Pod pod = Pod.builder(new PodUid(name), "default", name)
                .labels(Labels.of("app", world.any("a", "a", "b", "c")))
                .spec(world.any(templates))
                .build();
        HoldUse use = world.chance(90) ? HoldUse.PREFERRED : HoldUse.REQUIRED;
        Placement expected = slow.place(pod, use);
        Random dice = new Random(name.hashCode());
        BooleanSupplier timeIsUp = dice.nextInt(3) == 0 ? () -> dice.nextInt(4) == 0 : () -> false;
        Placement actual = placer.placeWithin(pod, use, timeIsUp);
        if (actual == Placement.Unfinished.INSTANCE) {
            // The ledger changes before a pod of this class comes again.
            counts.unfinished++;
            return Optional.empty();
        }
        if (!actual.equals(expected)) {
            return Optional.of("%s pod %s of %s:%n  expected %s%n  but got  %s"
                    .formatted(use, pod, pod.spec().requests(), expected, actual));
        }
        if (!(actual instanceof Placed placed)) {
            counts.refused++;
            return Optional.empty();
        }
        counts.byHold += placed.hold().isPresent() ? 1 : 0;
        counts.byFreeRoom += placed.hold().isPresent() ? 0 : 1;
        if (world.chance(80)) {
            ledger.put(pod);
            ledger.assume(pod.uid(), placed.nodeUid(), placed.hold());
            pods.add(pod);
        }
        return Optional.empty();
    }

    private void removePod(RandomCluster world) {
        if (!pods.isEmpty()) {
            Pod pod = world.any(pods);
            pods.remove(pod);
            ledger.removePod(pod.uid());
        }
    }

    private void bindOtherPod(RandomCluster world, int number) {
        PodUid uid = new PodUid("other-" + number);
        Pod pod = Pod.builder(uid, "default", uid.value())
                .labels(Labels.of("app", world.any("a", "x")))
                .spec(world.any(templates))
                .build();
        ledger.put(pod.boundTo(world.any(nodes).name()));
        pods.add(pod);
    }

    private void changeNode(RandomCluster world) {
        int at = world.any(nodes.size() - 1, 0, nodes.size() / 2);
        if (world.chance(20)) {
            ledger.removeNode(nodes.get(at).uid());
        }
        Node changed = node(world, at);
        Node before = nodes.get(at);
        nodes.set(
                at,
                new Node(
                        before.uid(),
                        before.name(),
                        changed.labels().with(Node.HOSTNAME_LABEL, before.name()),
                        Labels.NONE,
                        changed.allocatable(),
                        false,
                        changed.taints(),
                        changed.images()));
        ledger.put(nodes.get(at));
    }

    private void changeHold(RandomCluster world, int number) {
        if (world.chance(30) || holds.isEmpty()) {
            Hold fresh = hold(world, "late-" + number, world.any(nodes).uid());
            putHold(world.chance(30) ? drawing(world, fresh) : fresh);
            return;
        }
        String id = world.any(List.copyOf(holds.keySet()));
        if (world.chance(15)) {
            holds.remove(id);
            ledger.removeHold(new HoldId(id));
            return;
        }
        ledger.hold(new HoldId(id)).ifPresent(hold -> putHold(changed(world, hold)));
    }

    private Hold changed(RandomCluster world, Hold hold) {
        return switch (world.any(0, 1, 2, 2, 3)) {
            case 0 -> hold.toBuilder().closedReason(Optional.of("closed")).build();
            case 1 -> hold.toBuilder().closedReason(Optional.empty()).build();
            case 2 ->
                hold.toBuilder()
                        .size(hold.size().with(ResourceName.CPU, world.any(0L, 500L, 1000L, 3000L)))
                        .build();
            default -> RandomCluster.moved(hold, world.any(nodes).uid());
        };
    }

    /** The same hold as a part of another one, for a pod that is there. */
    private Hold drawing(RandomCluster world, Hold fresh) {
        Optional<Hold> source =
                holds.isEmpty() ? Optional.empty() : ledger.hold(new HoldId(world.any(List.copyOf(holds.keySet()))));
        if (source.isEmpty() || pods.isEmpty()) {
            return fresh;
        }
        return RandomCluster.moved(fresh, source.get().node()).toBuilder()
                .draw(Optional.of(new Draw(source.get().id(), world.any(pods))))
                .owners(source.get().owners())
                .build();
    }

    private void putNode(Node node) {
        nodes.add(node);
        ledger.put(node);
    }

    private void putHold(Hold hold) {
        holds.put(hold.id().value(), hold.id());
        ledger.put(hold);
    }

    private static Node node(RandomCluster world, int number) {
        String name = "n" + number;
        Node drawn = world.node(name, "uid-" + name);
        Resources allocatable = Resources.of(Map.of(
                ResourceName.CPU,
                world.any(4000L, 8000L, 8000L),
                ResourceName.MEMORY,
                world.any(8192L, 16_384L) * MIB,
                GPU,
                4L,
                ResourceName.PODS,
                world.any(6L, 110L)));
        return new Node(
                drawn.uid(),
                name,
                drawn.labels(),
                Labels.NONE,
                allocatable,
                false,
                world.chance(70) ? List.of() : drawn.taints(),
                drawn.images());
    }

    private static PodSpec template(RandomCluster world) {
        Map<ResourceName, Long> amounts = new TreeMap<>();
        amounts.put(ResourceName.CPU, world.any(0L, 100L, 300L, 300L, 700L));
        amounts.put(ResourceName.MEMORY, world.any(0L, 64L, 256L, 700L) * MIB);
        if (world.chance(10)) {
            amounts.put(GPU, 1L);
        }
        Labels selector = world.chance(20) ? Labels.of("disk", "ssd") : Labels.NONE;
        return PodSpec.builder()
                .requests(Resources.of(amounts))
                .scoringRequests(Resources.of(amounts))
                .nodeAffinity(new NodeAffinity(selector, Optional.empty(), List.of()))
                .images(world.chance(30) ? List.of("web:1") : List.of())
                .build();
    }

    private static LabelSelector selecting(RandomCluster world) {
        return LabelSelector.of(Labels.of("app", world.any("a", "a", "b")));
    }

    private Hold hold(RandomCluster world, String id, NodeUid node) {
        Map<ResourceName, Long> size = new TreeMap<>();
        size.put(ResourceName.CPU, world.any(300L, 1000L, 1000L, 2000L));
        size.put(ResourceName.MEMORY, world.any(0L, 700L, 1024L, 1024L) * MIB);
        size.put(ResourceName.PODS, world.any(0L, 1L, 1L));
        if (world.chance(15)) {
            size.put(GPU, 1L);
        }
        Resources inner = world.chance(10) ? Resources.of(ResourceName.CPU, 200) : Resources.NONE;
        String order = ordered && world.chance(10) ? world.any("1", "5") : "0";
        ReservationInfo info = ReservationInfo.of(
                "r-" + id, Labels.of(ReservationInfo.ORDER_LABEL, order), Instant.ofEpochSecond(world.any(1, 2)));
        return Hold.builder(new HoldId(id), node, new Origin(Origin.DoorId.KOORDINATOR, "Reservation " + id))
                .size(Resources.of(size))
                .owners(List.of(Owner.ofLabels(world.chance(15) ? LabelSelector.EVERYTHING : selecting(world))))
                .reservation(Optional.of(info))
                .allocateOnce(world.chance(20))
                .policy(
                        world.chance(50)
                                ? new AllocatePolicy.Aligned(inner)
                                : new AllocatePolicy.Restricted(Set.of(ResourceName.CPU, ResourceName.MEMORY), inner))
                .build();
    }
}
