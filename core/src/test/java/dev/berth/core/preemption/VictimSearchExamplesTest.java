package dev.berth.core.preemption;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static dev.berth.core.testing.SchedulerBuilder.aScheduler;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.effect.Effect;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.fact.Fact;
import dev.berth.core.hold.Hold;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.nomination.NominatedNodeWriter;
import dev.berth.core.nomination.SetNominatedNode;
import dev.berth.core.placement.HoldUse;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.scheduling.Scheduler;
import dev.berth.core.testing.HoldBuilder;
import dev.berth.core.testing.PodBuilder;
import dev.berth.core.testing.RandomSeeds;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Random nodes with pods, holds and budgets: the plugin decides as a plain implementation that rebuilds the ledger for
 * every check.
 */
class VictimSearchExamplesTest {
    private static final int CASES = 400;
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private record Choice(String node, Set<String> victims) {}

    private Random random = new Random(0);
    private int preempted;
    private final List<Node> nodes = new ArrayList<>();
    private final List<Pod> pods = new ArrayList<>();
    private final List<Hold> holds = new ArrayList<>();
    private final List<PodDisruptionBudget> budgets = new ArrayList<>();

    @Test
    void victimsMatchThePlainImplementation() {
        RandomSeeds.forEach(RandomSeeds.fresh(), CASES, seed -> {
            random = new Random(seed);
            draw();
            Pod pod = preemptor();
            Optional<Choice> expected = fits(pod) ? Optional.empty() : plain(pod);
            assertThat(decided(pod)).as("%s on %s", pod, pods).isEqualTo(expected);
            preempted += expected.isPresent() ? 1 : 0;
        });
        RandomSeeds.checkOverAll(
                () -> assertThat(preempted).as("cases with victims").isGreaterThan(CASES / 10));
    }

    private void draw() {
        nodes.clear();
        pods.clear();
        holds.clear();
        budgets.clear();
        for (int i = 0; i < 3; i++) {
            String node = "n" + i;
            nodes.add(aNode(node)
                    .with("4 cpu")
                    .with(random.nextInt(4) + 2 + " pods")
                    .build());
            if (random.nextInt(3) == 0) {
                holds.add(HoldBuilder.aHold("h" + i)
                        .on(node)
                        .keeping("1 cpu")
                        .forPodsLabelled("app", "kept")
                        .build());
            }
            for (int k = random.nextInt(5); k >= 0; k--) {
                pods.add(running("p%d-%d".formatted(i, k), node, i));
            }
        }
        for (String app : List.of("web", "db")) {
            if (random.nextBoolean()) {
                Optional<LabelSelector> selector = Optional.of(LabelSelector.of(Labels.of("app", app)));
                budgets.add(new PodDisruptionBudget("of-" + app, "default", selector, random.nextInt(2), Set.of()));
            }
        }
    }

    private Pod running(String name, String node, int holdOfNode) {
        PodBuilder pod = aPod(name)
                .asking(random.nextInt(3) * 500 + 500 + "m cpu")
                .ofPriority(random.nextInt(4))
                .labelled("app", List.of("web", "db", "kept").get(random.nextInt(3)))
                .on(node)
                .with(it -> it.startTime(Optional.of(NOW.minusSeconds(random.nextInt(3)))));
        if (random.nextInt(6) == 0) {
            pod.withHostPort(80);
        }
        return (random.nextInt(5) == 0 ? pod.using("h" + holdOfNode) : pod).build();
    }

    private Pod preemptor() {
        PodBuilder pod = aPod("x").asking(random.nextInt(4) + 1 + " cpu").ofPriority(random.nextInt(3) + 2);
        return (random.nextInt(4) == 0 ? pod.withHostPort(80) : pod).build();
    }

    private Optional<Choice> decided(Pod pod) {
        Ledger ledger = new Ledger();
        NominatedNodeWriter nominatedNodes = new NominatedNodeWriter();
        Scheduler scheduler = aScheduler(ledger)
                .withPlugins(nominatedNodes, new DefaultPreemption(Set.of("default-scheduler"), nominatedNodes))
                .build();
        nodes.forEach(node -> scheduler.apply(new Fact.NodeUpserted(node), NOW));
        holds.forEach(hold -> scheduler.apply(new Fact.HoldUpserted(hold), NOW));
        pods.forEach(each -> scheduler.apply(new Fact.PodUpserted(each), NOW));
        budgets.forEach(budget -> scheduler.apply(new PreemptionFact.BudgetUpserted(budget), NOW));
        scheduler.apply(new Fact.PodUpserted(pod), NOW);
        scheduler.reconcileComponents(NOW);
        scheduler.scheduleOne(NOW);
        Set<String> victims = new TreeSet<>();
        Optional<String> node = Optional.empty();
        for (Effect effect : scheduler.drainEffects()) {
            if (effect instanceof SetNominatedNode nominate) {
                node = Optional.of(nominate.node());
                scheduler.onWriteResult(nominate, WriteResult.WRITTEN, NOW);
            }
        }
        scheduler.reconcileComponents(NOW);
        for (Effect effect : scheduler.drainEffects()) {
            victims.add(((PreemptionWrite.Mark) effect).victim().name());
        }
        return node.map(name -> new Choice(name, victims));
    }

    private boolean fits(Pod pod) {
        return nodes.stream().anyMatch(node -> fits(pod, node.name(), pods));
    }

    private boolean fits(Pod pod, String node, List<Pod> present) {
        Ledger ledger = new Ledger();
        nodes.forEach(ledger::put);
        holds.forEach(ledger::put);
        present.forEach(ledger::put);
        NodeState state = ledger.node(node).orElseThrow();
        return new Placer(ledger, ScoreWeights.DEFAULT)
                .vetoes(pod, state, HoldUse.PREFERRED)
                .isEmpty();
    }

    private Optional<Choice> plain(Pod pod) {
        Map<String, List<Pod>> victims = new HashMap<>();
        Map<String, Integer> violations = new HashMap<>();
        for (Node node : nodes) {
            victimsOn(node.name(), pod, victims, violations);
        }
        Comparator<String> order = Comparator.<String>comparingInt(node -> violations.getOrDefault(node, 0))
                .thenComparingLong(node -> of(victims, node).stream()
                        .mapToLong(Pod::priority)
                        .max()
                        .orElseThrow())
                .thenComparingLong(node -> of(victims, node).stream()
                        .mapToLong(it -> it.priority() + (1L << 31))
                        .sum())
                .thenComparingInt(node -> of(victims, node).size())
                .thenComparing(node -> firstOfHighest(of(victims, node)), Comparator.reverseOrder())
                .thenComparing(Comparator.naturalOrder());
        return victims.keySet().stream().min(order).map(node -> {
            Set<String> names = new TreeSet<>();
            of(victims, node).forEach(victim -> names.add(victim.name()));
            return new Choice(node, names);
        });
    }

    private static List<Pod> of(Map<String, List<Pod>> victims, String node) {
        return victims.getOrDefault(node, List.of());
    }

    private static Instant firstOfHighest(List<Pod> victims) {
        int highest = victims.stream().mapToInt(Pod::priority).max().orElseThrow();
        return victims.stream()
                .filter(victim -> victim.priority() == highest)
                .map(victim -> victim.startTime().orElseThrow())
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }

    private void victimsOn(String node, Pod pod, Map<String, List<Pod>> victims, Map<String, Integer> violations) {
        List<Pod> lesser = new ArrayList<>(pods.stream()
                .filter(it -> it.nodeName().equals(Optional.of(node)) && it.priority() < pod.priority())
                .sorted(Comparator.comparing((Pod it) -> -it.priority())
                        .thenComparing(it -> it.startTime().orElseThrow())
                        .thenComparing(Pod::uid))
                .toList());
        List<Pod> present = new ArrayList<>(pods);
        present.removeAll(lesser);
        if (lesser.isEmpty() || !fits(pod, node, present)) {
            return;
        }
        List<Pod> guarded = guarded(lesser);
        lesser.removeAll(guarded);
        int broken = spare(pod, node, guarded, present, victims);
        spare(pod, node, lesser, present, victims);
        violations.put(node, broken);
    }

    private int spare(Pod pod, String node, List<Pod> inOrder, List<Pod> present, Map<String, List<Pod>> victims) {
        int going = 0;
        for (Pod candidate : inOrder) {
            present.add(candidate);
            if (!fits(pod, node, present)) {
                present.remove(candidate);
                victims.computeIfAbsent(node, key -> new ArrayList<>()).add(candidate);
                going++;
            }
        }
        return going;
    }

    private List<Pod> guarded(List<Pod> lesser) {
        List<Pod> guarded = new ArrayList<>();
        Map<String, Integer> allowed = new HashMap<>();
        budgets.forEach(budget -> allowed.put(budget.uid(), budget.disruptionsAllowed()));
        for (Pod pod : lesser) {
            String budget = "of-" + pod.labels().get("app").orElseThrow();
            Integer left = allowed.computeIfPresent(budget, (key, count) -> count - 1);
            if (left != null && left < 0) {
                guarded.add(pod);
            }
        }
        return guarded;
    }
}
