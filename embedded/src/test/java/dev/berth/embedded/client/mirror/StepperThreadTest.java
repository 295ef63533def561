package dev.berth.embedded.client.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.embedded.client.ApiClient;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class StepperThreadTest {
    private final Bell bell = new Bell();
    private final InstantSource still = InstantSource.fixed(Instant.EPOCH);
    private final Environment environment =
            new Environment(new ApiClient(new ScriptedServer()), still, new SplittableRandom(1), bell);

    private static final class Work implements Stepper {
        private final AtomicInteger wanted = new AtomicInteger();
        private final CountDownLatch done;
        private final CountDownLatch closed = new CountDownLatch(1);
        private final boolean fails;

        Work(int steps, boolean fails) {
            this.done = new CountDownLatch(steps);
            this.fails = fails;
        }

        @Override
        public boolean step() {
            if (wanted.getAndUpdate(left -> Math.max(0, left - 1)) == 0) {
                return false;
            }
            done.countDown();
            if (fails) {
                throw new IllegalStateException("a bug");
            }
            return true;
        }

        @Override
        public Optional<Instant> nextDue() {
            return Optional.empty();
        }

        @Override
        public void close() {
            closed.countDown();
        }
    }

    @Test
    void aRingMakesTheWorkGoOn() throws InterruptedException {
        Work work = new Work(3, false);
        try (StepperThread thread = StepperThread.start("test-work", work, environment)) {
            assertThat(thread).isNotNull();
            work.wanted.set(3);
            bell.ring();
            assertThat(work.done.await(10, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(work.closed.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void anUnexpectedFailureDoesNotEndTheThread() throws InterruptedException {
        Work work = new Work(2, true);
        try (StepperThread thread = StepperThread.start("test-work", work, environment)) {
            assertThat(thread).isNotNull();
            work.wanted.set(1);
            bell.ring();
            while (work.done.getCount() > 1) {
                Thread.onSpinWait();
            }
            work.wanted.set(1);
            bell.ring();
            assertThat(work.done.await(10, TimeUnit.SECONDS)).isTrue();
        }
    }
}
