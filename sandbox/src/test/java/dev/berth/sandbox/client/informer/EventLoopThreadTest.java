package dev.berth.sandbox.client.informer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.sandbox.client.DynamicClient;
import dev.berth.sandbox.client.eventloop.EventLoopTask;
import dev.berth.sandbox.client.eventloop.EventLoopThread;
import dev.berth.sandbox.client.eventloop.LoopEnvironment;
import dev.berth.sandbox.client.eventloop.WakeSignal;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class EventLoopThreadTest {
    private final WakeSignal wakeSignal = new WakeSignal();
    private final InstantSource still = InstantSource.fixed(Instant.EPOCH);
    private final LoopEnvironment environment =
            new LoopEnvironment(new DynamicClient(new ScriptedServer()), still, new SplittableRandom(1), wakeSignal);

    private static final class CountingTask implements EventLoopTask {
        private final AtomicInteger wanted = new AtomicInteger();
        private final CountDownLatch done;
        private final CountDownLatch closed = new CountDownLatch(1);
        private final boolean fails;

        CountingTask(int steps, boolean fails) {
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
    void aSignalWakesTheTask() throws InterruptedException {
        CountingTask countingTask = new CountingTask(3, false);
        try (EventLoopThread thread = EventLoopThread.start("test-work", countingTask, environment)) {
            assertThat(thread).isNotNull();
            countingTask.wanted.set(3);
            wakeSignal.signal();
            assertThat(countingTask.done.await(10, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(countingTask.closed.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void anUnexpectedFailureDoesNotEndTheThread() throws InterruptedException {
        CountingTask countingTask = new CountingTask(2, true);
        try (EventLoopThread thread = EventLoopThread.start("test-work", countingTask, environment)) {
            assertThat(thread).isNotNull();
            countingTask.wanted.set(1);
            wakeSignal.signal();
            while (countingTask.done.getCount() > 1) {
                Thread.onSpinWait();
            }
            countingTask.wanted.set(1);
            wakeSignal.signal();
            assertThat(countingTask.done.await(10, TimeUnit.SECONDS)).isTrue();
        }
    }
}
