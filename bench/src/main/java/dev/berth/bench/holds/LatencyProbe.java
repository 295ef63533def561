package dev.berth.bench.holds;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** Sends a small query to the loop every few milliseconds and records the latency of each reply. */
final class LatencyProbe {
    private static final long PAUSE_MILLIS = 2;

    private final LoopHarness loopHarness;
    private final Thread thread = new Thread(this::sendQueries, "queries");
    private final List<Long> nanos = new ArrayList<>();
    private volatile boolean stopping;
    private Optional<IllegalStateException> failure = Optional.empty();

    LatencyProbe(LoopHarness loopHarness) {
        this.loopHarness = loopHarness;
        thread.start();
    }

    private void sendQueries() {
        try {
            while (!stopping) {
                long start = System.nanoTime();
                CompletableFuture<Long> reply = loopHarness.smallQuery();
                // A query without a reply within the load took at least this long.
                while (!reply.isDone() && !stopping) {
                    TimeUnit.MICROSECONDS.sleep(50);
                }
                if (reply.isDone()) {
                    reply.get();
                }
                nanos.add(System.nanoTime() - start);
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            }
        } catch (RejectedExecutionException | ExecutionException broken) {
            failure = Optional.of(new IllegalStateException("the loop does not answer questions", broken));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** Call this after {@link #stop}. In milliseconds; 0 if there was no query. */
    double percentile(double part) {
        List<Long> sorted = nanos.stream().sorted().toList();
        return sorted.isEmpty() ? 0 : sorted.get((int) Math.min(sorted.size() - 1.0, part * sorted.size())) / 1e6;
    }

    /** @throws IllegalStateException if a query was rejected: then the recorded latencies are not meaningful */
    void stop() throws InterruptedException {
        stopping = true;
        thread.join();
        if (failure.isPresent()) {
            throw failure.get();
        }
    }
}
