package dev.berth.core.door.preemption;

import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.neighbour.Namespace;
import dev.berth.core.cluster.neighbour.PodAffinity;
import dev.berth.core.cluster.neighbour.PodTerm;
import dev.berth.core.decision.Decider;
import dev.berth.core.decision.Desk;
import dev.berth.core.decision.Fact;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.queue.BackOff;
import dev.berth.core.queue.SchedulingQueue;
import dev.berth.core.testing.HoldBuilder;
import dev.berth.core.testing.PodBuilder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What was found for one pod holds for the next of its kin exactly where a search from scratch would find the same. */
class SharedSearchTest {
    private static final int HISTORIES = 40;
    private static final int STEPS = 60;
    private static final int HOLDS = 40;
    private static final int PREEMPTORS = 8;
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Set<String> NAMES = Set.of("default-scheduler");

    private final long seed = new Random().nextLong();
    private Random random = new Random(seed);
    private PreemptionDoor door = new PreemptionDoor(NAMES);
    private Decider decider = decider();
    private int pods;
    private int shared;

    @Test
    void aSharedSearchFindsWhatOneFromScratchDoes() {
        for (int i = 0; i < HISTORIES; i++) {
            random = new Random(seed + i);
            door = new PreemptionDoor(NAMES);
            decider = decider();
            for (int n = 0; n < 5; n++) {
                decider.learn(new Fact.NodeSeen(node("n" + n)), NOW);
            }
            for (int step = 0; step < STEPS; step++) {
                happen();
                for (int kin = 0; kin < 3; kin++) {
                    compare(preemptor(kin), seed + i);
                }
            }
        }
        assertThat(shared).as("seed %d: searches that could be shared", seed).isGreaterThan(HISTORIES * STEPS);
    }

    private void compare(Pod pod, long history) {
        List<Object> both = decider.ask(Origin.Door.PREEMPTION, NOW, (any, desk) -> {
            Optional<Findings.Known> known = door.known(pod, desk);
            shared += known.isPresent() ? 1 : 0;
            return List.of(result(pod, known, desk), result(pod, Optional.empty(), desk));
        });
        assertThat(both.get(0)).as("seed %d: %s", history, pod).isEqualTo(both.get(1));
    }

    private String result(Pod pod, Optional<Findings.Known> known, Desk desk) {
        Search search = door.search(pod, known, desk);
        return search.smallest() + " " + search.words();
    }

    private void happen() {
        switch (random.nextInt(11)) {
            case 0 -> decider.learn(new Fact.NodeSeen(node("n" + random.nextInt(6))), NOW);
            case 1 -> decider.learn(new Fact.NodeGone(new NodeUid("n" + random.nextInt(6))), NOW);
            case 2 -> decider.learn(new Fact.PodGone(new PodUid("p" + random.nextInt(pods + 1))), NOW);
            case 3 -> budget();
            case 4, 9, 10 -> hold();
            case 5 -> {
                Labels labels = Labels.of("side", "s" + random.nextInt(2));
                decider.learn(new Fact.NamespaceSeen(new Namespace("default", labels)), NOW);
            }
            case 6 -> sendAway();
            default -> decider.learn(new Fact.PodSeen(running()), NOW);
        }
        decider.settle(NOW);
    }

    /** Somebody is placed, or has others sent away, and what is cleared is held. */
    private void sendAway() {
        decider.learn(new Fact.PodSeen(preemptor(random.nextInt(4))), NOW);
        decider.next(NOW);
    }

    private void budget() {
        String namespace = random.nextBoolean() ? "default" : "other";
        if (random.nextInt(3) == 0) {
            decider.learn(new PreemptionFact.BudgetGone("b-" + namespace), NOW);
            return;
        }
        Optional<LabelSelector> selector = Optional.of(LabelSelector.of(Labels.of("app", "web")));
        decider.learn(
                new PreemptionFact.BudgetSeen(
                        new Budget("b-" + namespace, namespace, selector, random.nextInt(3), Set.of())),
                NOW);
    }

    private void hold() {
        String id = "h" + random.nextInt(HOLDS);
        if (random.nextInt(4) == 0) {
            decider.learn(new Fact.HoldGone(new HoldId(id)), NOW);
            return;
        }
        HoldBuilder hold = aHold(id).on("n" + random.nextInt(6)).keeping(random.nextInt(3) * 500 + 500 + "m cpu");
        if (random.nextInt(4) == 0) {
            hold.forPod("default/x" + random.nextInt(PREEMPTORS));
        } else {
            hold.forPodsLabelled("app", List.of("web", "db", "kept").get(random.nextInt(3)));
        }
        decider.learn(new Fact.HoldSeen((random.nextBoolean() ? hold.once() : hold).build()), NOW);
    }

    private Node node(String name) {
        return aNode(name)
                .with(random.nextInt(3) + 2 + " cpu")
                .inZone("z" + random.nextInt(2))
                .build();
    }

    /** New, or another version of one that is there. */
    private Pod running() {
        int number = random.nextInt(3) == 0 ? random.nextInt(pods + 1) : ++pods;
        PodBuilder pod = aPod((number % 3 == 0 ? "other/p" : "p") + number)
                .asking(random.nextInt(3) * 500 + 500 + "m cpu")
                .ofPriority(random.nextInt(4))
                .labelled("app", List.of("web", "db", "kept").get(random.nextInt(3)))
                .on("n" + number % 6)
                .with(it -> it.started(Optional.of(NOW.minusSeconds(random.nextInt(3)))));
        if (random.nextInt(3) == 0) {
            pod.using("h" + random.nextInt(HOLDS));
        }
        if (random.nextInt(6) == 0) {
            PodTerm term = new PodTerm(
                    "topology.kubernetes.io/zone",
                    Optional.of(LabelSelector.of(Labels.of("app", "web"))),
                    List.of(),
                    Optional.of(LabelSelector.of(Labels.of("side", "s0"))));
            pod.shaped(shape -> shape.podAffinity(new PodAffinity(List.of(), List.of(term), List.of())));
        }
        return pod.build();
    }

    private Pod preemptor(int kin) {
        List<String> apps = new ArrayList<>(List.of("web", "db", "kept", "web"));
        return aPod("x" + random.nextInt(PREEMPTORS))
                .asking(kin + 1 + " cpu")
                .labelled("app", apps.get(kin))
                .ofPriority(2 + kin % 3)
                .build();
    }

    private Decider decider() {
        Ledger ledger = new Ledger();
        return new Decider(
                ledger,
                new Placer(ledger, ScoreWeights.DEFAULT),
                new SchedulingQueue(BackOff.DEFAULT),
                NAMES,
                List.of(door));
    }
}
