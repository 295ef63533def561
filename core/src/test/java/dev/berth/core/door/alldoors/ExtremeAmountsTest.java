package dev.berth.core.door.alldoors;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.globalreserve.GlobalReserveSettings;
import dev.berth.core.fact.Fact;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import dev.berth.core.scheduling.Scheduler;
import dev.berth.core.testing.PodBuilder;
import dev.berth.core.testing.RandomSeeds;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Nodes and pods of extreme amounts. {@code -Dberth.amounts.seed=17} plays that history first. */
class ExtremeAmountsTest {
    private static final long[] SIZES = {
        0,
        1,
        999,
        1_000,
        4_000,
        1L << 40,
        Long.MAX_VALUE / 100,
        100L << 50,
        200L << 50,
        1L << 60,
        Long.MAX_VALUE / 2,
        Long.MAX_VALUE / 1000 * 1000,
        Long.MAX_VALUE - 1,
        Long.MAX_VALUE
    };
    private static final int HISTORIES = 100;
    private static final ResourceName GPU = new ResourceName("example.com/gpu");
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void podsOfExtremeAmountsOnOrdinaryNodesDoNotKeepOtherPodsOffFreeCapacity() {
        RandomSeeds.forEach(1, HISTORIES, seed -> new History(seed, true).play());
    }

    @Test
    void podsArePlacedWhereTheyFitAndNowhereElseOnNodesOfExtremeAmounts() {
        RandomSeeds.forEach(1, HISTORIES, seed -> new History(seed, false).play());
    }

    private static final class History {
        private final long seed;
        private final Random dice;
        private final boolean ordinary;
        private final int nodes;
        private final Scheduler scheduler = AllDoorsCluster.decider(GlobalReserveSettings.DEFAULT);

        History(long seed, boolean ordinary) {
            this.seed = seed;
            this.dice = new Random(seed);
            this.ordinary = ordinary;
            this.nodes = 1 + dice.nextInt(4);
        }

        void play() {
            for (int i = 0; i < nodes; i++) {
                scheduler.apply(new Fact.NodeUpserted(node("n" + i)), NOW);
            }
            for (int i = 0; i < 12; i++) {
                next("p" + i);
            }
        }

        private Node node(String name) {
            Node plain = aNode(name).with("4 cpu", "8Gi memory", "10 pods").build();
            Resources size = ordinary
                    ? plain.allocatable()
                    : amounts(true).with(ResourceName.PODS, dice.nextInt(5) == 0 ? Long.MAX_VALUE : 10);
            return new Node(
                    plain.uid(),
                    name,
                    plain.labels(),
                    plain.annotations(),
                    size,
                    false,
                    List.of(),
                    List.of(),
                    Optional.empty(),
                    List.of(),
                    plain.created());
        }

        private Resources amounts(boolean signed) {
            Resources all = Resources.NONE;
            for (ResourceName name : List.of(ResourceName.CPU, ResourceName.MEMORY, GPU)) {
                if (dice.nextInt(4) > 0) {
                    long size = SIZES[dice.nextInt(SIZES.length)];
                    all = all.with(name, signed && dice.nextInt(6) == 0 ? -size : size);
                }
            }
            return all;
        }

        private void next(String name) {
            boolean bound = dice.nextInt(3) == 0;
            Resources usual = dice.nextBoolean() ? Resources.NONE : Resources.of(ResourceName.CPU, 100);
            boolean extreme = bound || (!ordinary && dice.nextBoolean());
            Resources asked = extreme ? amounts(false) : usual;
            PodBuilder pod = aPod(name).asking(asked);
            Resources scored = asked.max(Resources.of(ResourceName.CPU, 100).with(ResourceName.MEMORY, 200L << 20));
            pod.withSpec(it -> it.scoringRequests(scored));
            if (bound) {
                scheduler.apply(
                        new Fact.PodUpserted(pod.on("n" + dice.nextInt(nodes)).build()), NOW);
                return;
            }
            if (dice.nextInt(6) == 0) {
                scheduler.apply(new Fact.PodDeleted(new PodUid("p" + dice.nextInt(12))), NOW);
            }
            int priority = dice.nextInt(2) == 0 ? Integer.MIN_VALUE : 0;
            pod.ofPriority(dice.nextInt(3) == 0 ? Integer.MAX_VALUE : priority);
            decide(pod, asked);
        }

        private void decide(PodBuilder pod, Resources asked) {
            TreeSet<String> fitting = new TreeSet<>();
            for (int i = 0; i < nodes; i++) {
                if (fits(scheduler.ledger().node("n" + i).orElseThrow().free(), asked)) {
                    fitting.add("n" + i);
                }
            }
            scheduler.apply(new Fact.PodUpserted(pod.build()), NOW);
            scheduler.advance(NOW);
            scheduler.reconcileComponents(NOW);
            while (scheduler.scheduleOne(NOW).isPresent()) {
                scheduler.drainEffects();
            }
            Optional<String> place = scheduler.ledger().nodeNameOf(pod.build().uid());
            scheduler.reconcileComponents(NOW);
            scheduler.drainEffects();
            assertThat(place.map(fitting::contains).orElse(fitting.isEmpty()))
                    .as(
                            "-Dberth.amounts.seed=%d: pod %s asks %s, fits on %s and is on %s",
                            seed, pod.build(), asked.toMap(), fitting, place)
                    .isTrue();
        }

        private static boolean fits(Resources free, Resources asked) {
            boolean fits = free.get(ResourceName.PODS) >= 1;
            for (int i = 0; i < asked.size(); i++) {
                fits &= asked.amountAt(i) <= Math.max(0, free.get(asked.nameAt(i)));
            }
            return fits;
        }
    }
}
