package dev.berth.core.preemption;

import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodPhase;
import dev.berth.core.fact.Fact;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.ledger.LedgerFacts;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.HoldUse;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.reporting.OvercommitmentMessage;
import dev.berth.core.testing.HoldBuilder;
import dev.berth.core.testing.PodBuilder;
import dev.berth.core.testing.RandomHistories;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Owners of shared, once and restricted holds, and pods that own none, preempt each other while pods are deleted, finish
 * under finalizers, holds change their owners, nodes change their capacity, writes are denied or meet conflicts for a while, turns have no time for more
 * than one nomination, and Berth is killed: no node is promised twice, and once churn stops, no pod waits that some node would take with the holds that it may use and
 * without the pods that it may preempt, and no pod names a node that is not kept for it.
 */
class RandomPreemptionTest {
    private static final int STEPS = 60;
    private static final List<String> NODES = List.of("n1", "n2", "n3");

    /** What preemption writes. A denied Mark or Delete is not tried again before five minutes: DeniedEvictionTest has it. */
    private static final List<String> WRITES = List.of("SetNominatedNode", "Mark", "Delete");

    private static final HoldId ONCE = new HoldId("koordinator/n2");

    private final PreemptionScene scene = new PreemptionScene();
    private final Map<String, Long> capacity = new HashMap<>();
    private int names;

    @RandomHistories(count = 60)
    void noCapacityIsHeldTwiceAndNoPodStaysUnschedulableThatANodeWouldTake(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        NODES.forEach(node -> scene.upsert(aNode(node).with("4 cpu")));
        NODES.forEach(node -> edit(node, random));
        if (seed % 3 == 0) {
            scene.withShortTurns();
        }
        scene.listed();
        for (int step = 0; step < STEPS; step++) {
            act(random);
            removeSpentHold();
            nothingIsPromisedTwice(seed, step);
            if (step % 15 == 14) {
                calm();
                noPodWaitsThatANodeWouldTake(seed, step);
                podsNameTheNodesThatAreKeptForThem(seed, step);
            }
        }
    }

    private void act(SplittableRandom random) {
        switch (random.nextInt(22)) {
            case 0, 1, 2, 3, 4 -> scene.upsert(pod(random));
            case 5, 6, 7 -> one(leaving(), random).forEach(pod -> scene.deletePod(pod.name()));
            case 8 -> one(scene.pods(), random).forEach(pod -> scene.deletePod(pod.name()));
            case 9 -> one(bound(), random).forEach(this::finish);
            case 10 -> scene.restart();
            case 11 -> scene.delayAnswers(true);
            case 12 -> scene.delayAnswers(false);
            case 13 -> edit(NODES.get(random.nextInt(NODES.size())), random);
            case 14 -> scene.deny("SetNominatedNode");
            case 15 -> scene.conflictAlways(WRITES.get(random.nextInt(WRITES.size())));
            case 16 -> WRITES.forEach(scene::allow);
            case 17 -> scene.dropOnce(WRITES.get(random.nextInt(WRITES.size())));
            case 18, 19 -> resize(NODES.get(random.nextInt(NODES.size())), random);
            default -> scene.advance(Duration.ofSeconds(random.nextInt(15)));
        }
    }

    private PodBuilder pod(SplittableRandom random) {
        names++;
        PodBuilder pod = aPod("p%03d".formatted(names))
                .asking(1 + random.nextInt(6) + " cpu")
                .ofPriority(random.nextInt(3) * 10);
        return random.nextInt(3) == 0 ? pod : pod.labelled("app", random.nextBoolean() ? "web" : "db");
    }

    /** The first claim of a hold for once has spent it, and its door removes it. */
    private void removeSpentHold() {
        boolean spent = bound().stream().anyMatch(pod -> pod.annotations().has(Claim.ANNOTATION, ONCE.value()));
        if (spent && scene.hold(ONCE).isPresent()) {
            scene.holdGone(ONCE);
        }
    }

    /** The node's hold is for other owners from now on. Its size stays, so that no room is promised twice. */
    private void edit(String node, SplittableRandom random) {
        int kind = NODES.indexOf(node);
        boolean fits = scene.hold(new HoldId("koordinator/" + node)).isPresent() || scene.cpuFree(node) >= 3_000;
        if (!fits) {
            return;
        }
        HoldBuilder hold = aHold("koordinator/" + node).on(node).keeping(2 + kind % 2 + " cpu", "10 pods");
        hold.forPodsLabelled("app", random.nextInt(4) == 0 ? "db" : "web");
        if (kind == 1) {
            hold.allocateOnce();
        } else if (kind == 2) {
            hold.restrictedTo("cpu");
        }
        scene.addObject(new Fact.HoldUpserted(hold.build()));
    }

    /** The node has other capacity from now on, but no less than it has promised. */
    private void resize(String node, SplittableRandom random) {
        long promised = capacity.getOrDefault(node, 4L) - scene.cpuFree(node) / 1_000;
        long cpu = Math.max(promised, 3 + random.nextInt(4));
        capacity.put(node, cpu);
        scene.upsert(aNode(node).with(cpu + " cpu"));
    }

    /** It is deleted and finishes, but a finalizer keeps the object. */
    private void finish(Pod pod) {
        scene.changePod(pod.name(), it -> it.terminating(true).phase(PodPhase.SUCCEEDED));
    }

    private List<Pod> leaving() {
        return scene.pods().stream().filter(Pod::terminating).toList();
    }

    private List<Pod> bound() {
        return scene.pods().stream().filter(pod -> pod.nodeName().isPresent()).toList();
    }

    private static <T> List<T> one(List<T> all, SplittableRandom random) {
        return all.isEmpty() ? List.of() : List.of(all.get(random.nextInt(all.size())));
    }

    /** All that leaves is gone, and back-offs end; less time than after which every pod is tried again anyway. */
    private void calm() {
        scene.delayAnswers(false);
        WRITES.forEach(scene::allow);
        for (int i = 0; i < 8; i++) {
            leaving().forEach(pod -> scene.deletePod(pod.name()));
            scene.advance(Duration.ofSeconds(20));
        }
    }

    private void nothingIsPromisedTwice(long seed, int step) {
        for (String node : NODES) {
            assertThat(scene.cpuFree(node))
                    .as("seed %d, step %d: free cpu of %s", seed, step, node)
                    .isNotNegative();
        }
        assertThat(scene.events)
                .as("seed %d, step %d: events about missing room where none is missing", seed, step)
                .noneMatch(event -> event.contains(OvercommitmentMessage.REASON));
    }

    private void podsNameTheNodesThatAreKeptForThem(long seed, int step) {
        assertThat(scene.pods())
                .as("seed %d, step %d: pods that name a node which is not kept for them", seed, step)
                .noneMatch(pod -> pod.awaitsBinding()
                        && pod.nominatedNodeName().isPresent()
                        && !scene.hasNominationHold(pod.name()));
    }

    private void noPodWaitsThatANodeWouldTake(long seed, int step) {
        List<String> waiting = scene.pods().stream()
                .filter(Pod::awaitsBinding)
                .filter(this::someNodeWouldTake)
                .map(pod -> "%s (%s, priority %d, nominated to %s): %s"
                        .formatted(
                                pod.name(),
                                pod.spec().requests(),
                                pod.priority(),
                                pod.nominatedNodeName().orElse("no node"),
                                scene.unschedulableMessages.get(pod.name())))
                .toList();
        assertThat(waiting).as("seed %d, step %d", seed, step).isEmpty();
    }

    /**
     * By a ledger of what the API server shows and of the claims that were made, which edits of owners do not change;
     * without the pods that the pod may preempt.
     */
    private boolean someNodeWouldTake(Pod pod) {
        LedgerFacts shown = scene.facts();
        List<Hold> holds = shown.holds().stream()
                .filter(hold -> hold.origin().component() != Origin.PluginId.PREEMPTION)
                .toList();
        List<Pod> staying = shown.pods().stream()
                .filter(other -> other.nodeName().isEmpty() || other.priority() >= pod.priority())
                .toList();
        Ledger ledger = Ledger.of(new LedgerFacts(
                shown.nodes(), staying, holds, shown.workloads(), List.of(), shown.confirmed(), shown.namespaces()));
        Placer placer = new Placer(ledger, ScoreWeights.DEFAULT);
        return NODES.stream().anyMatch(name -> {
            NodeState node = ledger.node(name).orElseThrow();
            return placer.vetoes(pod, node, HoldUse.PREFERRED).isEmpty();
        });
    }
}
