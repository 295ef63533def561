package dev.berth.app.diagnostics;

import dev.berth.http.diagnostics.HealthCheck;
import dev.berth.http.diagnostics.HealthCheck.HealthStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks whether the loop still runs. Each call sends a probe to the loop, unless one is pending, and does not wait for
 * it. A probe without a result for too long means that the loop hangs.
 */
final class LoopCheck implements HealthCheck.Probe {
    private static final Logger LOG = LoggerFactory.getLogger(LoopCheck.class);
    /** Longer than the list of the largest cluster takes, shorter than operators wait for a hanging scheduler. */
    static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final Supplier<CompletableFuture<?>> loop;
    private final InstantSource clock;
    // Guarded by this.
    private Instant probedAt = Instant.MIN;
    private CompletableFuture<?> probe = CompletableFuture.completedFuture(true);
    private boolean rejected;

    /** @param loop sends a probe to the loop */
    LoopCheck(Supplier<CompletableFuture<?>> loop, InstantSource clock) {
        this.loop = loop;
        this.clock = clock;
    }

    @Override
    public synchronized HealthStatus run() {
        Instant now = clock.instant();
        if (isProbeDone()) {
            probedAt = now;
            rejected = true;
        }
        if (rejected) {
            sendQuestion();
        }
        if (probe.isCompletedExceptionally()) {
            return HealthStatus.unhealthy("the ledger's loop has ended");
        }
        Duration silent = Duration.between(probedAt, now);
        return isProbeDone() || silent.compareTo(TIMEOUT) <= 0
                ? HealthStatus.healthy("")
                : HealthStatus.unhealthy("the ledger's loop has not answered for %d s".formatted(silent.toSeconds()));
    }

    private boolean isProbeDone() {
        return !rejected && probe.isDone() && !probe.isCompletedExceptionally();
    }

    /** If the inbox is full, the next call tries again; the time counts from when it was first full. */
    private void sendQuestion() {
        try {
            probe = loop.get();
            rejected = false;
        } catch (RejectedExecutionException full) {
            LOG.debug("the loop's inbox is full", full);
        }
    }
}
