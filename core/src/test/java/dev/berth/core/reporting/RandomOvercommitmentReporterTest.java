package dev.berth.core.reporting;

import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static dev.berth.core.testing.SchedulerBuilder.aScheduler;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.effect.Effect;
import dev.berth.core.fact.Fact;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import dev.berth.core.invariant.Invariants;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.scheduling.Scheduler;
import dev.berth.core.testing.HoldBuilder;
import dev.berth.core.testing.PodBuilder;
import dev.berth.core.testing.RandomSeeds;
import java.time.Instant;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Random histories with intruders, nodes that shrink and nominations that wait for victims: exactly the nodes that became
 * over-committed since the last look are reported.
 */
class RandomOvercommitmentReporterTest {
    private static final int HISTORIES = 200;
    private static final int STEPS = 80;
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void exactlyTheNodesThatBecameOvercommittedAreReported() {
        AtomicInteger reports = new AtomicInteger();
        RandomSeeds.forEach(0, HISTORIES, seed -> reports.addAndGet(new History(seed).play()));
        RandomSeeds.checkOverAll(() ->
                assertThat(reports.get()).as("the histories over-commit nodes").isGreaterThan(HISTORIES));
    }

    private static final class History {
        private final long seed;
        private final Random random;
        private final Ledger ledger;
        private final Scheduler scheduler;
        /** How often each node was replaced: no UID comes twice. */
        private final int[] replaced = new int[3];

        private History(long seed) {
            this.seed = seed;
            this.random = new Random(seed);
            this.ledger = new Ledger((int) (1 + seed % 16));
            this.scheduler = aScheduler(ledger).serving("berth-scheduler").build();
        }

        private int play() {
            int reports = 0;
            Set<String> before = Set.of();
            for (int step = 0; step < STEPS; step++) {
                for (int changes = random.nextInt(4); changes >= 0; changes--) {
                    scheduler.apply(change(), NOW);
                }
                scheduler.reconcileComponents(NOW);
                Set<String> reported = scheduler.drainEffects().stream()
                        .map(effect -> ((Effect.RecordEvent) effect).target().uid())
                        .collect(Collectors.toCollection(TreeSet::new));
                Set<String> now = overcommitted();
                Set<String> news = new TreeSet<>(now);
                news.removeAll(before);
                assertThat(reported).as("history %d, step %d", seed, step).isEqualTo(news);
                assertThat(Invariants.check(ledger.snapshot()))
                        .as("history %d, step %d", seed, step)
                        .isEmpty();
                reports += reported.size();
                before = now;
            }
            return reports;
        }

        /** Read from all nodes and holds. That nodes are marked exactly if room is missing is one of the invariants. */
        private Set<String> overcommitted() {
            Set<String> found = new TreeSet<>();
            for (int slot = 0; slot < ledger.slotBound(); slot++) {
                ledger.nodeAt(slot)
                        .filter(node -> node.holds().stream()
                                .flatMap(id -> ledger.holdState(id).stream())
                                .filter(hold -> !hold.hold().isNomination())
                                .anyMatch(hold -> node.overcommitments().stream()
                                        .anyMatch(over -> hold.outstanding().get(over.resource()) > 0)))
                        .map(NodeState::node)
                        .ifPresent(node -> found.add(node.uid().value()));
            }
            return found;
        }

        private Fact change() {
            int number = random.nextInt(replaced.length);
            String node = "n" + number;
            String uid = node + "-" + replaced[number];
            String name = Integer.toString(random.nextInt(6));
            return switch (random.nextInt(10)) {
                case 0 ->
                    new Fact.NodeUpserted(aNode(node)
                            .uid(uid)
                            .with(4 + random.nextInt(5) + " cpu", "10 pods")
                            .build());
                case 1 -> {
                    replaced[number]++;
                    yield new Fact.NodeDeleted(new NodeUid(uid));
                }
                case 2, 3 -> new Fact.PodUpserted(pod("p" + name, node).build());
                case 4 -> new Fact.PodDeleted(new PodUid("p" + name));
                case 5, 6 -> new Fact.HoldUpserted(hold("h" + name, uid).build());
                case 7 -> new Fact.HoldDeleted(new HoldId("h" + name));
                case 8 -> new Fact.HoldUpserted(nomination("n" + name, uid));
                default -> new Fact.HoldDeleted(new HoldId("n" + name));
            };
        }

        /** One that waits for up to two pods, and whose pod will use one of the other holds. */
        private Hold nomination(String id, String node) {
            return aHold(id)
                    .on(node)
                    .keeping(1 + random.nextInt(4) + " cpu")
                    .allocateOnce()
                    .forPod("default/preemptor")
                    .until(Instant.MAX)
                    .from(Origin.PluginId.PREEMPTION, "nominated pod default/preemptor")
                    .backedBy("p" + random.nextInt(6))
                    .backedBy("p" + random.nextInt(6))
                    .drawingOn("h" + random.nextInt(6), aPod("preemptor").labelled("app", "web"))
                    .build();
        }

        private PodBuilder pod(String name, String node) {
            return aPod(name).asking(1 + random.nextInt(4) + " cpu").on(node).labelled("app", "web");
        }

        private HoldBuilder hold(String id, String node) {
            return aHold(id).on(node).keeping(random.nextInt(5) + " cpu").forPodsLabelled("app", "web");
        }
    }
}
