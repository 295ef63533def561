package dev.berth.core.placement;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.ledger.Ledger;
import dev.berth.core.placement.score.ResourceScore;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.testing.PodBuilder;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A virtual node may say that it has any amount of memory. */
class HugeNodeTest {
    @Test
    void aPodIsPlacedOnTheOnlyNodeHoweverMuchMemoryThatNodeHas() {
        List<String> refused = new ArrayList<>();
        for (String memory : List.of("64Pi", "100Pi", "128Pi", "200Pi", "500Pi", "1Ei", "2Ei", "3Ei", "5Ei", "7Ei")) {
            for (String asks : List.of("200Mi", "1Gi", "1Pi", "63Pi")) {
                Ledger ledger = new Ledger();
                Placer placer = new Placer(ledger, ScoreWeights.DEFAULT);
                ledger.put(aNode("virtual")
                        .with("1 cpu", memory + " memory", "110 pods")
                        .build());
                ledger.put(aPod("full")
                        .asking("1 cpu", asks + " memory")
                        .scoredAs("1 cpu", asks + " memory")
                        .on("virtual")
                        .build());
                PodBuilder pod = aPod("p").scoredAs("100m cpu", "200Mi memory");
                Placement placement = placer.place(pod.build());
                if (!(placement instanceof Placement.Placed)) {
                    refused.add(asks + " of " + memory + ": " + placement);
                }
            }
        }
        assertThat(refused)
                .as("pods that wait for ever although the only node has room")
                .isEmpty();
    }

    @Test
    void theScoreOfFreeMemoryIsExactForAllAmounts() {
        Random random = new Random(1);
        for (int i = 0; i < 20_000; i++) {
            long capacity = 1 + (random.nextLong() >>> (1 + random.nextInt(60))) / 2;
            long used =
                    random.nextInt(4) == 0 ? capacity - random.nextInt(3) : (random.nextLong() >>> 1) % (capacity + 1);
            long exact = BigInteger.valueOf(capacity)
                    .subtract(BigInteger.valueOf(Math.max(0, used)))
                    .multiply(BigInteger.valueOf(100))
                    .divide(BigInteger.valueOf(capacity))
                    .longValueExact();
            assertThat(ResourceScore.leastAllocated(0, 0, Math.max(0, used), capacity))
                    .as("%d of %d", used, capacity)
                    .isEqualTo((int) exact);
        }
        assertThat(ResourceScore.leastAllocated(0, 0, 0, Long.MAX_VALUE)).isEqualTo(100);
        assertThat(ResourceScore.leastAllocated(0, 0, Long.MAX_VALUE, Long.MAX_VALUE))
                .isZero();
        assertThat(ResourceScore.leastAllocated(0, 0, -1, Long.MAX_VALUE)).isEqualTo(100);
    }

    @Test
    void theNearestNodeIsTheOneWithTheSmallestShortfallHoweverLargeTheRequest() {
        Ledger ledger = new Ledger();
        Placer placer = new Placer(ledger, ScoreWeights.DEFAULT);
        ledger.put(aNode("crowded").with("1 cpu", "1Gi memory", "10 pods").build());
        ledger.put(aPod("there").asking("4Ei memory").on("crowded").build());
        ledger.put(aNode("empty").with("1 cpu", "1Ei memory", "10 pods").build());

        Placement.Refused refused =
                (Placement.Refused) placer.place(aPod("p").asking("7Ei memory").build());

        assertThat(refused.reasons()).hasSize(1);
        assertThat(refused.reasons().get(0).nearestNode()).isEqualTo("empty");
    }

    @Test
    void aPodThatAsksForAResourceOfNoNodeIsPlacedOnceANodeHasIt() {
        Ledger ledger = new Ledger();
        Placer placer = new Placer(ledger, ScoreWeights.DEFAULT);
        ledger.put(aNode("n1").with("1 cpu", "10 pods").build());
        PodBuilder pod = aPod("p").asking("1 example.com/gpu");
        for (int i = 0; i < 4; i++) {
            assertThat(placer.place(pod.build())).isInstanceOf(Placement.Refused.class);
            ledger.put(aNode("m" + i).with("1 cpu", "10 pods").build());
        }
        ledger.put(aNode("n1").with("1 cpu", "10 pods", "1 example.com/gpu").build());

        assertThat(placer.place(pod.build())).isInstanceOf(Placement.Placed.class);
    }
}
