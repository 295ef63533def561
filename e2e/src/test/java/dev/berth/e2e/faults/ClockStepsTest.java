package dev.berth.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.run.SteadyClocks;
import dev.berth.sandbox.http.RequestInterceptor;
import dev.berth.testkit.contract.Eventually;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Somebody puts the machine's clock back by an hour, then forward by two, while pods wait. */
@Timeout(180)
class ClockStepsTest {
    private final AtomicLong secondsOff = new AtomicLong();

    private Instant wallClock() {
        return InstantSource.system().instant().plusSeconds(secondsOff.get());
    }

    @Test
    void aPendingPodIsPlacedOnFreedCapacityAfterAnyClockStep() throws Exception {
        try (FaultyCluster cluster = new FaultyCluster(RequestInterceptor.NONE, SteadyClocks.over(this::wallClock))) {
            cluster.berth().awaitReady(2);
            assertWaiterTakesCapacityOfBlocker(cluster, "first", "second", Duration.ofHours(-1));
            assertWaiterTakesCapacityOfBlocker(cluster, "third", "fourth", Duration.ofHours(2));
        }
    }

    private void assertWaiterTakesCapacityOfBlocker(
            FaultyCluster cluster, String blocker, String waiter, Duration step) {
        cluster.create(blocker + "-0", "8");
        cluster.create(blocker + "-1", "8");
        Eventually.holds(() -> assertThat(cluster.pods().values())
                .filteredOn(place -> place.endsWith(" Running"))
                .hasSize(2));
        cluster.create(waiter, "8");
        Eventually.holds(() -> assertThat(cluster.unschedulableMessage(waiter)).isNotEmpty());

        secondsOff.addAndGet(step.toSeconds());
        cluster.delete(blocker + "-0");
        Eventually.holds(() -> assertThat(cluster.pods().get(waiter)).endsWith(" Running"));
        cluster.delete(blocker + "-1");
        cluster.delete(waiter);
        Eventually.holds(() -> assertThat(cluster.pods()).isEmpty());
        Eventually.holds(() -> assertThat(cluster.berth().snapshot().facts().withoutConfirmed())
                .isEqualTo(cluster.freshLedger().facts()));
    }
}
