package dev.berth.core.placement;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Namespace;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodSpec;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Workload;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.Draw;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.HoldState;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.ledger.Removals;
import dev.berth.core.ledger.Snapshot;
import dev.berth.core.placement.Placement.Placed;
import dev.berth.core.placement.Placement.Refused;
import dev.berth.core.placement.filter.ClusterEventKind;
import dev.berth.core.placement.filter.CycleState;
import dev.berth.core.placement.filter.FilterPlugin;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.profile.Profiles;
import dev.berth.core.reference.ReferencePlacer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A history that follows from a seed and the numbers of its steps: each step draws from its own random numbers, so that
 * any selection of the steps is a history too and a failing one can be made shorter.
 */
final class PlacementHistory {
    private static final int NEW_CLUSTER = -1;
    private static final int MANY_OWNERS = -2;
    private static final String WISH = "wants-device";
    /** Pods that wish for a device find one wherever the disk is fast and less than two of their like are. */
    private static final FilterPlugin ON_FAST_DISKS = new FilterPlugin() {
        @Override
        public boolean appliesTo(Pod pod) {
            return pod.annotations().has(WISH);
        }

        @Override
        public List<Veto> filter(CycleState cycle, NodeState state, Optional<Hold> own) {
            if (!state.node().labels().has("disk", "ssd")) {
                return List.of(Veto.of(Veto.Code.DEVICES, "no device"));
            }
            long taken = state.pods().stream().filter(this::appliesTo).count();
            return taken < 2 || own.isPresent() ? List.of() : List.of(Veto.of(Veto.Code.DEVICES, "devices are taken"));
        }

        @Override
        public Optional<FilterPlugin> publish(Snapshot snapshot) {
            return Optional.of(this);
        }
    };

    private final long seed;
    private final Counts counts;
    private final Ledger ledger;
    private final Placer placer;
    private final SnapshotFilter snapshotFilter;
    private final ReferencePlacer slow;
    private final Profile profile;
    private final TreeMap<String, Node> nodes = new TreeMap<>();
    private final TreeMap<String, Pod> pods = new TreeMap<>();
    private final TreeMap<String, HoldId> holds = new TreeMap<>();
    private final List<Workload> workloads = new ArrayList<>();
    private final List<PodSpec> templates = new ArrayList<>();

    private PlacementHistory(long seed, Counts counts) {
        this.seed = seed;
        this.counts = counts;
        RandomCluster world = world(NEW_CLUSTER);
        this.ledger = new Ledger(world.any(4, 64, 16_384));
        this.profile = RandomProfile.draw(world);
        this.placer = new Placer(
                ledger, Profiles.forAllPods(profile), List.of(ON_FAST_DISKS), world.any(0L, 10_000L, 64L << 20));
        this.snapshotFilter = new SnapshotFilter(placer.filterState(ledger.snapshot()));
        this.slow = new ReferencePlacer(ledger, profile, List.of(ON_FAST_DISKS));
        int count = world.any(1, 3, 8, 8, 20, 60);
        for (int i = 0; i < count; i++) {
            putNode(world.node("n" + i, "uid-n" + i));
        }
        for (int i = 0; i < 8; i++) {
            templates.add(world.shape(List.copyOf(nodes.keySet())));
        }
        RandomCluster crowd = world(MANY_OWNERS);
        if (crowd.chance(35)) {
            prepareOwners(crowd);
        }
    }

    /** Services whose pods spread, plain pods, and holds for them on most nodes. */
    private void prepareOwners(RandomCluster world) {
        templates.clear();
        for (int i = 0; i < 3; i++) {
            templates.add(world.plainShape());
        }
        for (int i = world.any(0, 1, 2); i > 0; i--) {
            templates.add(world.largeShape());
        }
        for (String app : RandomCluster.APPS) {
            LabelSelector selector = LabelSelector.of(Labels.of("app", app));
            for (String namespace : RandomCluster.NAMESPACES) {
                Workload service = new Workload(Workload.Kind.SERVICE, namespace, app, selector);
                workloads.add(service);
                ledger.put(service);
            }
            int onEach = world.any(1, 2, 3);
            for (Node node : nodes.values()) {
                for (int i = 0; i < onEach && world.chance(80); i++) {
                    String id = "%s-%s-%d".formatted(app, node.name(), i);
                    ledger.put(world.holdFor(app, id, node.uid()));
                    holds.put(id, new HoldId(id));
                }
            }
        }
    }

    /** What came out of how many comparisons, to see that everything occurs. */
    static final class Counts {
        private int placed;
        private int placedByHold;
        private int refused;
        private int refusedBeforehand;
        private int refusedOwners;
        private int placedInHeldRoom;
        private final EnumSet<Veto.Code> codes = EnumSet.noneOf(Veto.Code.class);

        private void count(Placement placement) {
            if (placement instanceof Placed there) {
                placed += there.hold().isEmpty() ? 1 : 0;
                placedByHold += there.hold().isPresent() ? 1 : 0;
            } else if (placement instanceof Refused none) {
                refused += none.preFilterMessage().isEmpty() ? 1 : 0;
                refusedBeforehand += none.preFilterMessage().isPresent() ? 1 : 0;
                none.reasons().forEach(reason -> codes.add(reason.nearestVeto().code()));
            }
        }

        /** The vetoes of all nodes. */
        EnumSet<Veto.Code> codes() {
            return codes;
        }

        int rarest() {
            return IntStream.of(placed, placedByHold, refused, refusedBeforehand, refusedOwners, placedInHeldRoom)
                    .min()
                    .orElseThrow();
        }

        @Override
        public String toString() {
            return ("%d placed by free room, %d by a hold, %d in room that Reservations hold,"
                            + " %d refused by all nodes, %d of them with holds, %d before any was asked")
                    .formatted(placed, placedByHold, placedInHeldRoom, refused, refusedOwners, refusedBeforehand);
        }
    }

    /** Plays the steps in their order; what went wrong first, if anything. */
    static Optional<String> play(long seed, List<Integer> steps, Counts counts) {
        return RandomCluster.play(steps, new PlacementHistory(seed, counts)::step);
    }

    private RandomCluster world(int step) {
        return RandomCluster.of(seed, step);
    }

    private Optional<String> step(int number) {
        RandomCluster world = world(number);
        int kind = world.any(0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 11);
        switch (kind) {
            case 1 -> confirm(world);
            case 2 -> removePod(world);
            case 3 -> changeNode(world);
            case 4 -> replaceNode(world, number);
            case 5 -> changeHold(world, number);
            case 6 -> changeWorkload(world);
            case 7 -> changePod(world);
            case 8 -> bindByStranger(world, number);
            case 9 -> changeNamespace(world);
            case 10 -> putEqualHolds(world, number);
            case 11 -> alterHold(world);
            default -> {}
        }
        return compare(world, "pod-" + number, kind == 0);
    }

    private Optional<String> compare(RandomCluster world, String name, boolean assume) {
        PodSpec spec = world.chance(85) ? world.any(templates) : world.shape(List.of("n0", "n1", "n2", "n3"));
        Pod pod = pod(world, name, spec);
        HoldUse rare = world.chance(60) ? HoldUse.REQUIRED : HoldUse.NONE;
        HoldUse use = world.chance(85) ? HoldUse.PREFERRED : rare;
        Placement expected = slow.place(pod, use);
        Placement actual = placedInPieces(pod, use);
        if (actual == Placement.Unfinished.INSTANCE) {
            // The ledger changes before this pod or its like comes again.
            return Optional.empty();
        }
        counts.count(expected);
        counts.placedInHeldRoom += expected instanceof Placed placed && isInHeldRoom(pod, placed) ? 1 : 0;
        if (!actual.equals(expected)) {
            return Optional.of("%s pod %s of %s:%n  expected %s%n  but got  %s"
                    .formatted(use, pod, spec.requests(), expected, actual));
        }
        boolean closely = world.chance(20);
        Optional<String> unaware =
                actual instanceof Refused refused ? compareHints(pod, use, refused) : Optional.empty();
        if (unaware.isPresent()) {
            return unaware;
        }
        Optional<String> wrong = closely ? compareVerdicts(pod, use).or(() -> compareOffers(pod)) : Optional.empty();
        if (wrong.isEmpty() && closely) {
            wrong = compareWithout(world, pod, use);
        }
        if (wrong.isEmpty() && (closely || actual instanceof Refused)) {
            wrong = compareSibling(pod, use);
        }
        if (wrong.isEmpty() && actual instanceof Refused && world.chance(40)) {
            wrong = compareWhileNamedHoldsChange(world, pod, use);
        }
        if (wrong.isEmpty()
                && assume
                && actual instanceof Placed placed
                && pod.nodeName().isEmpty()) {
            ledger.put(pod);
            ledger.assume(pod.uid(), placed.nodeUid(), placed.hold());
            pods.put(
                    name,
                    placed.hold().map(hold -> annotated(world, name, hold)).orElse(pod));
        }
        return wrong;
    }

    private boolean isInHeldRoom(Pod pod, Placed placed) {
        NodeState node = ledger.node(placed.nodeName()).orElseThrow();
        return pod.spec().reservations().ignored() && !pod.spec().requests().fitsIn(node.free());
    }

    /** What a refused pod that has holds must wait for. */
    private Optional<String> compareHints(Pod pod, HoldUse use, Refused refused) {
        if (refused.preFilterMessage().isPresent()) {
            return Optional.empty();
        }
        Set<ClusterEventKind> expected = slow.eventsResolvingOwnHolds(pod, use);
        Set<ClusterEventKind> actual = placer.resolvingEventsAtMatchingHolds(pod, use);
        counts.refusedOwners += expected.isEmpty() ? 0 : 1;
        return actual.equals(expected)
                ? Optional.empty()
                : Optional.of("%s pod %s waits:%n  expected %s%n  but got  %s".formatted(use, pod, expected, actual));
    }

    private static Pod pod(RandomCluster world, String name, PodSpec spec) {
        Pod pod = world.pod(name, spec);
        Pod there = world.chance(3) ? pod.boundTo("n1") : pod;
        return world.chance(10)
                ? there.toBuilder()
                        .annotations(there.annotations().with(WISH, "yes"))
                        .build()
                : there;
    }

    /** What a node would say if some of its pods were not there, and then again how it is. */
    private Optional<String> compareWithout(RandomCluster world, Pod pod, HoldUse use) {
        if (nodes.isEmpty() || !pod.spec().unsupportedFeatures().isEmpty()) {
            return Optional.empty();
        }
        String node = world.any(List.copyOf(nodes.keySet()));
        Set<PodUid> gone = ledger.node(node).orElseThrow().pods().stream()
                .map(Pod::uid)
                .filter(uid -> world.chance(60))
                .collect(Collectors.toSet());
        LedgerView view =
                ledger.simulateWithout(node, new Removals(gone, Set.of())).orElseThrow();
        ReferencePlacer slowWithout = new ReferencePlacer(view, profile, List.of(ON_FAST_DISKS));
        List<Veto> expected = slowWithout.explain(pod, use).stream()
                .filter(verdict -> verdict.node().equals(node))
                .findFirst()
                .orElseThrow()
                .vetoes();
        List<Veto> actual = placer.simulateVetoes(view, pod, view.node(node).orElseThrow(), use);
        if (!actual.equals(expected)) {
            return Optional.of("%s pod %s on %s without %s:%n  expected %s%n  but got  %s"
                    .formatted(use, pod, node, gone, expected, actual));
        }
        return compareVerdicts(pod, use);
    }

    /**
     * Places with little time, as the loop does: the rest continues after other changes. The random generator is its
     * own, so that the history does not depend on the number of pieces.
     */
    private Placement placedInPieces(Pod pod, HoldUse use) {
        Random dice = new Random(pod.name().hashCode());
        int pieces = dice.nextInt(4) == 0 ? 1 + dice.nextInt(3) : Integer.MAX_VALUE;
        Placement placement = placer.placeWithin(pod, use, dice::nextBoolean);
        for (int i = 1; i < pieces && placement == Placement.Unfinished.INSTANCE; i++) {
            placement = placer.placeWithin(pod, use, dice::nextBoolean);
        }
        return placement;
    }

    /** Another pod of the same template, which may have holds of its own or none where the first has some. */
    private Optional<String> compareSibling(Pod pod, HoldUse use) {
        String name = pod.name().hashCode() % 2 == 0 ? RandomCluster.EXPECTED : pod.name() + "-sibling";
        Pod sibling = Pod.builder(new PodUid(name), pod.namespace(), name)
                .labels(pod.labels())
                .annotations(pod.annotations())
                .controller(pod.controller())
                .spec(pod.spec())
                .schedulerName(pod.schedulerName())
                .nodeName(pod.nodeName())
                .build();
        Placement expected = slow.place(sibling, use);
        Placement actual = placer.place(sibling, use);
        return actual.equals(expected)
                ? Optional.empty()
                : Optional.of("%s pod %s, sibling of %s:%n  expected %s%n  but got  %s"
                        .formatted(use, sibling, pod, expected, actual));
    }

    /**
     * Holds that the message names move, end or change: pods of the same template must get the present blocking holds.
     * Vetoes are cached from the second refusal on, so several holds change in turn.
     */
    private Optional<String> compareWhileNamedHoldsChange(RandomCluster world, Pod pod, HoldUse use) {
        Optional<String> wrong = Optional.empty();
        for (int i = world.any(2, 3, 4); i > 0 && wrong.isEmpty(); i--) {
            List<Hold> named = holdsNamedBy(slow.place(pod, use));
            if (named.isEmpty()) {
                return Optional.empty();
            }
            changeNamed(world, world.any(named));
            wrong = compareSibling(pod, use);
        }
        return wrong;
    }

    private List<Hold> holdsNamedBy(Placement placement) {
        return !(placement instanceof Refused refused)
                ? List.of()
                : refused.reasons().stream()
                        .flatMap(reason -> reason.blockingHolds().named().stream())
                        .flatMap(blockingHold -> ledger.hold(blockingHold.hold()).stream())
                        .distinct()
                        .toList();
    }

    private void changeNamed(RandomCluster world, Hold hold) {
        NodeUid other = world.any(List.copyOf(nodes.values())).uid();
        switch (world.any(0, 0, 0, 1, 2)) {
            case 0 -> ledger.put(RandomCluster.moved(hold, other));
            case 1 -> ledger.put(world.altered(hold, other));
            default -> {
                ledger.removeHold(hold.id());
                holds.remove(hold.id().value());
            }
        }
    }

    private Pod annotated(RandomCluster world, String name, HoldId hold) {
        Pod known = ledger.pod(new PodUid(name)).orElseThrow();
        return world.chance(50)
                ? known
                : known.toBuilder()
                        .annotations(known.annotations().with(Claim.ANNOTATION, hold.value()))
                        .build();
    }

    /** The extender filters by snapshots, on another thread: it must find what scheduling finds. */
    private Optional<String> compareSnapshotFilter(Pod pod) {
        List<String> names = List.copyOf(nodes.keySet());
        Map<String, List<Veto>> expected = placer.filter(pod, names);
        Map<String, List<Veto>> actual = snapshotFilter.filter(placer.filterState(ledger.snapshot()), pod, names);
        return actual.equals(expected)
                ? Optional.empty()
                : Optional.of("pod %s:%n  expected %s%n  but by a snapshot %s".formatted(pod, expected, actual));
    }

    private Optional<String> compareVerdicts(Pod pod, HoldUse use) {
        Optional<String> bySnapshot = compareSnapshotFilter(pod);
        if (bySnapshot.isPresent()) {
            return bySnapshot;
        }
        List<NodeVerdict> expected = slow.explain(pod, use);
        List<NodeVerdict> actual = placer.explain(pod, use);
        for (int i = 0; i < expected.size(); i++) {
            if (actual.size() <= i || !actual.get(i).equals(expected.get(i))) {
                return Optional.of("%s pod %s:%n  expected %s%n  but got  %s"
                        .formatted(use, pod, expected.get(i), actual.size() <= i ? "nothing" : actual.get(i)));
            }
            NodeVerdict verdict = expected.get(i);
            NodeState state = ledger.node(verdict.node()).orElseThrow();
            if (pod.spec().unsupportedFeatures().isEmpty()
                    && !placer.vetoes(pod, state, use).equals(verdict.vetoes())) {
                return Optional.of("%s pod %s: expected %s, but node alone says %s"
                        .formatted(use, pod, verdict, placer.vetoes(pod, state, use)));
            }
        }
        return Optional.empty();
    }

    private void putNode(Node node) {
        ledger.put(node);
        nodes.put(node.name(), node);
    }

    private void confirm(RandomCluster world) {
        if (!pods.isEmpty()) {
            Pod pod = pods.get(world.any(List.copyOf(pods.keySet())));
            if (pod != null) {
                ledger.assumption(pod.uid()).ifPresent(there -> ledger.put(pod.boundTo(there.nodeName())));
            }
        }
    }

    private void removePod(RandomCluster world) {
        if (!pods.isEmpty()) {
            String name = world.any(List.copyOf(pods.keySet()));
            pods.remove(name);
            if (world.chance(20)) {
                ledger.forget(new PodUid(name));
            }
            ledger.removePod(new PodUid(name));
        }
    }

    private void changeNode(RandomCluster world) {
        if (!nodes.isEmpty()) {
            Node known = nodes.get(world.any(List.copyOf(nodes.keySet())));
            if (known != null) {
                putNode(world.node(known.name(), known.uid().value()));
            }
        }
    }

    private void replaceNode(RandomCluster world, int number) {
        String name = world.chance(50) ? "n" + number : "n" + world.any(0, 1, 2, 3);
        Node known = nodes.get(name);
        if (known == null) {
            putNode(world.node(name, "uid-%s-%d".formatted(name, number)));
            return;
        }
        nodes.remove(name);
        ledger.removeNode(known.uid());
        if (world.chance(40)) {
            putNode(world.node(name, world.any(known.uid().value(), "uid-" + number)));
        }
    }

    private void changeHold(RandomCluster world, int number) {
        if (world.chance(35) && !holds.isEmpty()) {
            String id = world.any(List.copyOf(holds.keySet()));
            holds.remove(id);
            ledger.removeHold(new HoldId(id));
        } else if (!nodes.isEmpty()) {
            String id = world.chance(80) || holds.isEmpty() ? "h" + number : world.any(List.copyOf(holds.keySet()));
            NodeUid node =
                    new ArrayList<>(nodes.values()).get(number % nodes.size()).uid();
            Hold fresh = world.hold(id, node);
            ledger.put(world.chance(30) ? drawing(world, fresh) : fresh);
            holds.put(id, new HoldId(id));
        }
    }

    private void alterHold(RandomCluster world) {
        if (!holds.isEmpty() && !nodes.isEmpty()) {
            NodeUid other = world.any(List.copyOf(nodes.values())).uid();
            ledger.hold(new HoldId(world.any(List.copyOf(holds.keySet()))))
                    .ifPresent(hold -> ledger.put(world.altered(hold, other)));
        }
    }

    /** Part of another hold's room, for a pod that is there or one like it. */
    private Hold drawing(RandomCluster world, Hold fresh) {
        List<Hold> others = holds.values().stream()
                .filter(id -> !id.equals(fresh.id()))
                .flatMap(id -> ledger.hold(id).stream())
                .toList();
        if (others.isEmpty() || pods.isEmpty()) {
            return fresh;
        }
        Hold source = world.any(others);
        Pod owner = ledger.pod(world.any(List.copyOf(pods.values())).uid()).orElseThrow();
        return Hold.builder(fresh.id(), source.node(), fresh.origin())
                .size(fresh.size())
                .ports(fresh.ports())
                .owners(fresh.owners())
                .reservation(world.chance(80) ? Optional.empty() : fresh.reservation())
                .allocateOnce(fresh.allocateOnce())
                .draw(Optional.of(new Draw(source.id(), owner)))
                .build();
    }

    /** Many holds that differ in nothing but their names, on one node or on many. */
    private void putEqualHolds(RandomCluster world, int number) {
        List<Node> there = List.copyOf(nodes.values());
        int count = world.any(3, 12, 40);
        boolean scattered = world.chance(70);
        for (int i = 0; i < count && !there.isEmpty(); i++) {
            String id = "h%d-%d".formatted(number, i);
            Node node = there.get((number + (scattered ? i : 0)) % there.size());
            ledger.put(world(number).hold(id, node.uid()));
            holds.put(id, new HoldId(id));
        }
    }

    /** What the ledger offers the pod node by node is what it may use, and of equal holds the first. */
    private Optional<String> compareOffers(Pod given) {
        Pod pod = given.toBuilder().spec(PodSpec.builder().build()).build();
        List<Hold> all = new ArrayList<>(ledger.holdsFor(pod));
        all.sort(Hold.BY_PREFERENCE);
        for (Node node : nodes.values()) {
            List<Hold> here =
                    all.stream().filter(hold -> hold.node().equals(node.uid())).toList();
            Set<List<Object>> known = new HashSet<>();
            List<Hold> expected =
                    here.stream().filter(hold -> known.add(looks(hold))).toList();
            NodeState state = ledger.node(node.name()).orElseThrow();
            List<Hold> actual = ledger.claimableHolds(state, ledger.rulesWithClaimableHolds(pod));
            List<Hold> published =
                    ledger.snapshot().claimableHolds(state, ledger.snapshot().rulesWithClaimableHolds(pod));
            if (!actual.equals(expected) || !published.equals(here)) {
                return Optional.of("pod %s is offered on %s:%n  expected %s of %s%n  but got  %s of %s"
                        .formatted(pod, node.name(), expected, here, actual, published));
            }
        }
        return Optional.empty();
    }

    private List<Object> looks(Hold hold) {
        HoldState state = ledger.holdState(hold.id()).orElseThrow();
        return List.of(
                hold.ownerRule(),
                hold.size(),
                hold.ports(),
                hold.devices(),
                hold.allocateOnce(),
                hold.policy(),
                state.outstanding(),
                state.allocated(),
                state.draws().source());
    }

    private void changeWorkload(RandomCluster world) {
        if (world.chance(30) && !workloads.isEmpty()) {
            ledger.remove(workloads.remove(0).key());
        } else {
            Workload workload = world.workload();
            workloads.add(workload);
            ledger.put(workload);
        }
    }

    private void changeNamespace(RandomCluster world) {
        Namespace namespace = world.namespace();
        if (world.chance(15)) {
            ledger.removeNamespace(namespace.name());
        } else {
            ledger.put(namespace);
        }
    }

    private void changePod(RandomCluster world) {
        if (pods.isEmpty()) {
            return;
        }
        String name = world.any(List.copyOf(pods.keySet()));
        ledger.pod(new PodUid(name)).ifPresent(known -> {
            Pod changed = world.chance(50)
                    ? known.toBuilder().terminating(true).build()
                    : known.toBuilder()
                            .labels(known.labels().with("app", world.any("web", "db")))
                            .build();
            ledger.put(changed);
            pods.computeIfPresent(name, (key, pod) -> changed);
        });
    }

    private void bindByStranger(RandomCluster world, int number) {
        String name = "stranger-" + number;
        Pod pod = world.pod(name, world.any(templates)).boundTo("n" + world.any(0, 1, 2, 3, 4));
        ledger.put(pod);
        pods.put(name, pod);
    }
}
