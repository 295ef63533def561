package dev.berth.core.placement;

import static dev.berth.core.testing.SchedulerBuilder.aScheduler;

import dev.berth.core.cluster.ControllerRef;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Namespace;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodPhase;
import dev.berth.core.cluster.PodSpec;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.godel.GodelAnnotations;
import dev.berth.core.effect.Effect;
import dev.berth.core.fact.Fact;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Owner;
import dev.berth.core.hold.ReturnKey;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.queue.BackoffPolicy;
import dev.berth.core.queue.QueueState;
import dev.berth.core.queue.SchedulingQueue;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import dev.berth.core.scheduling.Scheduler;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A history of all that can happen to pods that wait and to those in their way; it follows from a seed and the numbers of
 * its steps. After each step no pod may sleep that some node would take.
 */
final class RequeueHistory {
    private static final int NEW_CLUSTER = -1;
    private static final int TEMPLATES = 6;
    private static final int BACK_OFF_SECONDS = 11;

    private final long seed;
    private final Counts counts;
    private final Ledger ledger = new Ledger();
    private final Placer placer = new Placer(ledger, ScoreWeights.DEFAULT);
    private final SchedulingQueue queue = new SchedulingQueue(BackoffPolicy.DEFAULT);
    private final Scheduler scheduler = aScheduler(ledger).withQueue(queue).build(placer);
    private final TreeMap<String, Node> nodes = new TreeMap<>();
    private final TreeSet<String> pods = new TreeSet<>();
    private final TreeSet<String> holds = new TreeSet<>();
    private final List<Effect.Bind> binds = new ArrayList<>();
    private final List<PodSpec> templates = new ArrayList<>();
    private final List<String> log = new ArrayList<>();
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    /** How often something of each kind was seen, so that a test knows what it tested. */
    static final class Counts {
        private int asleep;
        private int woken;
        private int placedAfterWaiting;

        int rarest() {
            return Math.min(asleep, Math.min(woken, placedAfterWaiting));
        }

        @Override
        public String toString() {
            return "%d times a pod slept on, %d times one woke, %d of those found a place"
                    .formatted(asleep, woken, placedAfterWaiting);
        }
    }

    private RequeueHistory(long seed, Counts counts) {
        this.seed = seed;
        this.counts = counts;
        RandomCluster world = world(NEW_CLUSTER);
        List<String> names = List.of("n0", "n1", "n2");
        names.forEach(name -> upsert(world.node(name, "uid-" + name)));
        for (int i = 0; i < TEMPLATES; i++) {
            templates.add(world.shape(names));
        }
    }

    /** Plays the steps in their order; what went wrong first, if anything. */
    static Optional<String> play(long seed, List<Integer> steps, Counts counts) {
        return RandomCluster.play(steps, new RequeueHistory(seed, counts)::step);
    }

    private RandomCluster world(int step) {
        return RandomCluster.of(seed, step);
    }

    private Optional<String> step(int number) {
        RandomCluster world = world(number);
        Set<PodUid> before = waiting();
        switch (world.any(0, 0, 0, 1, 1, 2, 3, 4, 5, 6, 7, 7, 8, 9, 10)) {
            case 1 -> podGone(world);
            case 2 -> nodeChanged(world);
            case 3 -> nodeReplaced(world, number);
            case 4 -> holdChanged(world, number);
            case 5 -> podChanged(world);
            case 6 -> bindByStranger(world, number);
            case 7 -> later();
            case 8 -> answer(world);
            case 9 -> namespaceChanged(world);
            case 10 -> roomBesideHold(world, number);
            default -> newPod(world, number);
        }
        return findMissedPod(before);
    }

    private Set<PodUid> waiting() {
        Set<PodUid> waiting = new TreeSet<>();
        for (String name : pods) {
            PodUid uid = new PodUid(name);
            if (queue.stateOf(uid).filter(QueueState.UNSCHEDULABLE::equals).isPresent()) {
                waiting.add(uid);
            }
        }
        return waiting;
    }

    private Optional<String> findMissedPod(Set<PodUid> before) {
        Set<PodUid> after = waiting();
        counts.asleep += after.size();
        counts.woken +=
                (int) before.stream().filter(uid -> !after.contains(uid)).count();
        for (PodUid uid : after) {
            Pod pod = ledger.pod(uid).orElseThrow();
            // Each node is filtered, because the placer may cache a refusal.
            Optional<String> taker = nodes.keySet().stream()
                    .filter(name -> pod.spec().unsupportedFeatures().isEmpty() && takes(name, pod))
                    .findFirst();
            if (taker.isPresent()) {
                return Optional.of("pod %s sleeps although node %s would take it:%n  %s"
                        .formatted(pod, taker.get(), String.join("\n  ", log)));
            }
        }
        return Optional.empty();
    }

    private boolean takes(String node, Pod pod) {
        return ledger.node(node)
                .filter(state -> placer.vetoes(pod, state, HoldUse.PREFERRED).isEmpty())
                .isPresent();
    }

    /** Sometimes several come that differ in nothing but their names, and wait together where they are refused. */
    private void newPod(RandomCluster world, int number) {
        PodSpec spec = world.any(templates);
        int count = world.chance(25) ? 4 : 1;
        for (int i = 0; i < count; i++) {
            String name = i == 0 ? "pod-" + number : "pod-%d-%d".formatted(number, i);
            Pod pod = world(number).pod(name, spec);
            pods.add(name);
            upsert(pod);
        }
        decideAll();
    }

    private void later() {
        now = now.plusSeconds(BACK_OFF_SECONDS);
        scheduler.advance(now);
        decideAll();
    }

    private void decideAll() {
        for (Optional<List<Effect>> effects = scheduler.scheduleOne(now);
                effects.isPresent();
                effects = scheduler.scheduleOne(now)) {
            for (Effect effect : effects.get()) {
                if (effect instanceof Effect.Bind bind) {
                    binds.add(bind);
                    log.add("assumed on %s: %s".formatted(bind.node(), bind.pod()));
                    counts.placedAfterWaiting += queue.attemptCount(bind.pod().uid()) > 1 ? 1 : 0;
                } else if (effect instanceof Effect.MarkUnscheduled mark) {
                    log.add("%s is told: %s".formatted(mark.pod(), mark.message()));
                }
            }
        }
    }

    /** What became of a bind: mostly what was wished. */
    private void answer(RandomCluster world) {
        if (binds.isEmpty()) {
            return;
        }
        Effect.Bind bind = world.any(binds);
        binds.remove(bind);
        if (world.chance(30)) {
            scheduler.onBindFailed(bind, Optional.empty(), now);
        } else {
            ledger.pod(bind.pod().uid())
                    .filter(pod -> pod.nodeName().isEmpty())
                    .ifPresent(pod -> upsert(pod.boundTo(bind.node())));
        }
    }

    private void podGone(RandomCluster world) {
        if (!pods.isEmpty()) {
            String name = world.any(List.copyOf(pods));
            pods.remove(name);
            binds.removeIf(bind -> bind.pod().name().equals(name));
            apply(new Fact.PodDeleted(new PodUid(name)));
        }
    }

    private void podChanged(RandomCluster world) {
        if (pods.isEmpty()) {
            return;
        }
        ledger.pod(new PodUid(world.any(List.copyOf(pods)))).ifPresent(pod -> {
            Pod.Builder changed = pod.toBuilder();
            switch (world.any(0, 1, 2, 3, 4, 5)) {
                case 4 -> {
                    Labels annotations = pod.annotations().with(GodelAnnotations.INDEX, world.any("a", "b"));
                    changed.annotations(annotations).returnKey(GodelAnnotations.returnKeyIn(annotations));
                }
                case 5 ->
                    changed.controller(Optional.of(new ControllerRef("apps/v1", "ReplicaSet", "adopts", "adopts-uid")));
                case 0 -> changed.labels(pod.labels().with("app", world.any("web", "db")));
                case 1 -> changed.terminating(true);
                case 2 -> changed.phase(pod.nodeName().isPresent() ? PodPhase.SUCCEEDED : pod.phase());
                default -> changed.spec(smaller(pod.spec()));
            }
            upsert(changed.build());
        });
    }

    /** The same but for what it asks for. */
    private static PodSpec smaller(PodSpec spec) {
        return PodSpec.builder()
                .nodeAffinity(spec.nodeAffinity())
                .tolerations(spec.tolerations())
                .hostPorts(spec.hostPorts())
                .podAffinity(spec.podAffinity())
                .topologySpreadConstraints(spec.topologySpreadConstraints())
                .requiredFeatures(spec.requiredFeatures())
                .unsupportedFeatures(spec.unsupportedFeatures())
                .reservations(spec.reservations())
                .build();
    }

    private void bindByStranger(RandomCluster world, int number) {
        String name = "stranger-" + number;
        pods.add(name);
        upsert(world.pod(name, world.any(templates)).boundTo("n" + world.any(0, 1, 2, 3)));
    }

    private void nodeChanged(RandomCluster world) {
        if (!nodes.isEmpty()) {
            Node known = world.any(List.copyOf(nodes.values()));
            upsert(world.node(known.name(), known.uid().value()));
        }
    }

    private void nodeReplaced(RandomCluster world, int number) {
        String name = "n" + world.any(0, 1, 2, 3);
        Node known = nodes.remove(name);
        if (known == null) {
            upsert(world.node(name, "uid-%s-%d".formatted(name, number)));
        } else if (world.chance(50)) {
            apply(new Fact.NodeDeleted(known.uid()));
        } else {
            upsert(world.node(name, "uid-%s-%d".formatted(name, number)));
        }
    }

    private void holdChanged(RandomCluster world, int number) {
        if (world.chance(50) && !holds.isEmpty()) {
            String id = world.any(List.copyOf(holds));
            holds.remove(id);
            apply(new Fact.HoldDeleted(new HoldId(id)));
        } else if (!nodes.isEmpty()) {
            String id = world.chance(60) || holds.isEmpty() ? "h" + number : world.any(List.copyOf(holds));
            NodeUid node = world.any(List.copyOf(nodes.values())).uid();
            holds.add(id);
            Hold hold = world.hold(id, node);
            Optional<Pod> named = world.chance(40) ? anyPod(world) : Optional.empty();
            apply(new Fact.HoldUpserted(
                    named.map(pod -> forOne(world, hold, pod)).orElse(hold)));
        }
    }

    /** Part of what a waiting pod needs is kept for it by name, and then a pod beside the hold leaves. */
    private void roomBesideHold(RandomCluster world, int number) {
        List<PodUid> waiting = List.copyOf(waiting());
        if (waiting.isEmpty() || nodes.isEmpty()) {
            return;
        }
        Pod pod = ledger.pod(world.any(waiting)).orElseThrow();
        NodeState node =
                ledger.node(world.any(List.copyOf(nodes.values())).name()).orElseThrow();
        String id = "h" + number;
        holds.add(id);
        Hold hold = world.hold(id, node.node().uid()).toBuilder()
                .size(half(pod.spec().requests()).with(ResourceName.PODS, 1))
                .build();
        apply(new Fact.HoldUpserted(forOne(world, hold, pod)));
        node.pods().stream()
                .map(there -> there.uid().value())
                .filter(pods::remove)
                .findFirst()
                .ifPresent(gone -> {
                    binds.removeIf(bind -> bind.pod().name().equals(gone));
                    apply(new Fact.PodDeleted(new PodUid(gone)));
                });
    }

    private static Resources half(Resources whole) {
        Resources half = whole;
        for (int i = 0; i < whole.size(); i++) {
            half = half.with(whole.nameAt(i), whole.amountAt(i) / 2);
        }
        return half;
    }

    private Optional<Pod> anyPod(RandomCluster world) {
        return pods.isEmpty() ? Optional.empty() : ledger.pod(new PodUid(world.any(List.copyOf(pods))));
    }

    /** The hold for a pod by what its like, of the same labels and shape, do not have. */
    private static Hold forOne(RandomCluster world, Hold hold, Pod pod) {
        Owner owner = ReturnKey.of(pod)
                .filter(key -> world.chance(40))
                .map(Owner::ofReturnKey)
                .orElseGet(() -> world.any(
                        Owner.ofPod(
                                new Owner.PodMatch(Optional.of(pod.uid().value()), Optional.empty(), Optional.empty())),
                        Owner.ofPod(new Owner.PodMatch(Optional.empty(), Optional.empty(), Optional.of(pod.name()))),
                        Owner.ofController(controller(world, pod))));
        return hold.toBuilder().owners(List.of(owner)).build();
    }

    private static Owner.ControllerMatch controller(RandomCluster world, Pod pod) {
        Optional<String> kind = pod.controller().map(ControllerRef::kind);
        Optional<String> name = pod.controller().map(ControllerRef::name).filter(known -> world.chance(60));
        return new Owner.ControllerMatch(Optional.empty(), kind, Optional.empty(), name, Optional.empty());
    }

    private void namespaceChanged(RandomCluster world) {
        Namespace namespace = world.namespace();
        apply(world.chance(15) ? new Fact.NamespaceDeleted(namespace.name()) : new Fact.NamespaceUpserted(namespace));
    }

    private void upsert(Node node) {
        nodes.put(node.name(), node);
        apply(new Fact.NodeUpserted(node));
    }

    private void apply(Fact fact) {
        log.add(fact.toString());
        scheduler.apply(fact, now);
    }

    private void upsert(Pod pod) {
        apply(new Fact.PodUpserted(pod));
    }
}
