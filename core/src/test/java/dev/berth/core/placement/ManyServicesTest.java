package dev.berth.core.placement;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Workload;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.testing.AllocatedBytes;
import org.junit.jupiter.api.Test;

/** Services of one namespace that come between pods which they all select. */
class ManyServicesTest {
    private static final int MEASURED = 20;

    @Test
    void theCostOfAPodAfterANewServiceDoesNotGrowWithServicesOfTheSameSelector() {
        long few = cost(200);
        long many = cost(2_000);

        assertThat(many).as("bytes beside many Services, %d beside few", few).isLessThan(2 * few);
    }

    private static long cost(int services) {
        Ledger ledger = new Ledger();
        Placer placer = new Placer(ledger, ScoreWeights.DEFAULT);
        ledger.put(aNode("n1").with("400 cpu", "1000 pods").build());
        for (int i = 0; i < services; i++) {
            ledger.put(service(i));
        }
        placer.place(aPod("first").labelled("app", "a").build());
        return AllocatedBytes.measure(() -> {
            for (int i = 0; i < MEASURED; i++) {
                ledger.put(service(services + i));
                assertThat(placer.place(aPod("p").labelled("app", "a").build())).isInstanceOf(Placement.Placed.class);
            }
        });
    }

    private static Workload service(int number) {
        return new Workload(Workload.Kind.SERVICE, "default", "s" + number, LabelSelector.of(Labels.of("app", "a")));
    }
}
