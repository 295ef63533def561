package dev.berth.core.placement;

import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Pod;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.testing.AllocatedBytes;
import dev.berth.core.testing.RandomHistories;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The extender's filter: all nodes in one call, from a snapshot. */
class SnapshotFilterTest {
    private static final int NODES = 20;

    private static Map<String, List<Veto>> filter(Placer placer, Ledger ledger, Pod pod, List<String> names) {
        FilterState state = placer.filterState(ledger.snapshot());
        return new SnapshotFilter(state).filter(state, pod, names);
    }

    @RandomHistories(count = 5)
    void vetoesForManyNodesEqualVetoesForEachNode(long seed) {
        Random random = new Random(seed);
        Ledger ledger = new Ledger();
        Placer placer = new Placer(ledger, ScoreWeights.DEFAULT);
        List<String> names = new ArrayList<>(List.of("nowhere"));
        for (int i = 0; i < NODES; i++) {
            names.add("n" + i);
            ledger.put(aNode("n" + i).with("4 cpu", "10 pods").build());
        }
        for (int i = 0; i < 3 * NODES; i++) {
            ledger.put(aHold("h" + i)
                    .on("n" + random.nextInt(NODES))
                    .keeping(1 + random.nextInt(3) + " cpu")
                    .forPodsLabelled("app", random.nextBoolean() ? "web" : "other")
                    .build());
        }
        Pod pod = aPod("p")
                .asking(1 + random.nextInt(4) + " cpu")
                .labelled("app", "web")
                .build();

        Map<String, List<Veto>> together = filter(placer, ledger, pod, names);

        assertThat(together).containsOnlyKeys(names);
        for (String name : names) {
            assertThat(together)
                    .containsEntry(name, placer.filter(pod, List.of(name)).get(name));
        }
        assertThat(together.get("nowhere")).containsExactly(Veto.of(Veto.Code.NODE_UNKNOWN));
        assertThat(together.values().stream().filter(List::isEmpty))
                .as("some take it")
                .isNotEmpty();
    }

    /** The cost of a call for all nodes, where each has three holds that the pod may use. */
    private static long askAbout(int nodes) {
        Ledger ledger = new Ledger();
        Placer placer = new Placer(ledger, ScoreWeights.DEFAULT);
        List<String> names = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            names.add("n" + i);
            ledger.put(aNode("n" + i).with("4 cpu", "10 pods").build());
            for (int hold = 0; hold < 3; hold++) {
                ledger.put(aHold("h%d-%d".formatted(i, hold))
                        .on("n" + i)
                        .keeping(1 + hold + " cpu")
                        .forPodsLabelled("app", "web")
                        .build());
            }
        }
        Pod pod = aPod("p").asking("1 cpu").labelled("app", "web").build();
        filter(placer, ledger, pod, names);
        return AllocatedBytes.measure(() -> filter(placer, ledger, pod, names));
    }

    @Test
    void aCallForTenTimesTheNodesAllocatesAboutTenTimesAsMuch() {
        long once = askAbout(NODES);

        assertThat(askAbout(10 * NODES) / (double) once)
                .as("ten by the number of nodes, a hundred by nodes times holds")
                .isLessThan(15);
    }
}
