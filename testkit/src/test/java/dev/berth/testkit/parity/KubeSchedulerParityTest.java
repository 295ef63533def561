package dev.berth.testkit.parity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;

import dev.berth.core.testing.RandomSeeds;
import dev.berth.testkit.controlplane.MissingControlPlaneException;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replay one trial with {@code -Dreferee.seed=N}; try more with {@code -Dreferee.trials=N}, from another first seed with
 * both.
 */
@OnRealControlPlane
class KubeSchedulerParityTest {
    private static final Logger LOG = LoggerFactory.getLogger(KubeSchedulerParityTest.class);

    @Test
    void berthDecidesAsKubeSchedulerDoes() {
        run(1, 600, TraceGenerator::generate);
    }

    @Test
    void berthDecidesAsKubeSchedulerDoesInOtherProfiles() {
        run(500_000, 300, TraceGenerator::generateWithProfiles);
    }

    @Test
    @Tag("long")
    void berthDecidesAsKubeSchedulerDoesManyTimes() {
        run(1_000_000, 20_000, TraceGenerator::generate);
    }

    @Test
    @Tag("long")
    void berthDecidesAsKubeSchedulerDoesInManyOtherProfiles() {
        run(2_000_000, 10_000, TraceGenerator::generateWithProfiles);
    }

    private static void run(long first, int trials, LongFunction<ClusterTrace> draw) {
        try (KubeSchedulerReferee referee = startReferee()) {
            Shrinker shrinker = new Shrinker(referee);
            KnownDifferenceCounts known = new KnownDifferenceCounts();
            AtomicInteger probes = new AtomicInteger();
            AtomicInteger placed = new AtomicInteger();
            RandomSeeds.forEach(first, trials, seed -> {
                ClusterTrace clusterTrace = draw.apply(seed);
                var schedulingOutcomes = referee.schedule(clusterTrace);
                Optional<Difference> difference = Difference.firstUnknownIn(clusterTrace, schedulingOutcomes, known);
                if (difference.isPresent()) {
                    fail(failureMessage(clusterTrace, shrinker, difference.get()));
                }
                probes.addAndGet(schedulingOutcomes.size());
                placed.addAndGet((int) schedulingOutcomes.stream()
                        .filter(schedulingOutcome ->
                                !schedulingOutcome.nodeName().isEmpty())
                        .count());
            });
            LOG.info("{} trials from seed {}: {} pods, {} of them placed", trials, first, probes, placed);
            LOG.info("of known differences, {}", known);
            assertThat(known.excesses(probes.get())).isEmpty();
            RandomSeeds.checkOverAll(() -> {
                assertThat(placed.get()).as("pods that were placed").isPositive();
                assertThat(probes.get()).as("pods, of which some are refused").isGreaterThan(placed.get());
            });
        }
    }

    private static KubeSchedulerReferee startReferee() {
        try {
            return KubeSchedulerReferee.start();
        } catch (MissingControlPlaneException missing) {
            return Assumptions.abort("there is no referee here: " + missing.getMessage());
        }
    }

    private static String failureMessage(ClusterTrace clusterTrace, Shrinker shrinker, Difference difference) {
        ClusterTrace small = shrinker.shrink(clusterTrace, difference);
        Difference left = shrinker.difference(small).orElse(difference);
        return "seed (%d), step (%d): %s differs%n%s%n%nThe smallest that does:%n%s%n%s"
                .formatted(
                        clusterTrace.seed(),
                        difference.step(),
                        difference.kind(),
                        difference.message(),
                        left.message(),
                        small.yaml());
    }
}
