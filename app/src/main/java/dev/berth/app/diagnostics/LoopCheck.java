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
 * Whether the ledger's loop still turns. Each time it is asked it sends a question to the loop, unless one is on its way;
 * it waits for none. A question that stays without answer for too long is a loop that hangs.
 */
final class LoopCheck implements HealthCheck.Probe {
    private static final Logger LOG = LoggerFactory.getLogger(LoopCheck.class);
    /** Longer than the largest cluster takes to be listed, shorter than anybody waits for a scheduler that hangs. */
    static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final Supplier<CompletableFuture<?>> loop;
    private final InstantSource clock;
    // Guarded by this.
    private Instant askedAt = Instant.MIN;
    private CompletableFuture<?> answer = CompletableFuture.completedFuture(true);
    private boolean rejected;

    /** @param loop sends a question to the loop */
    LoopCheck(Supplier<CompletableFuture<?>> loop, InstantSource clock) {
        this.loop = loop;
        this.clock = clock;
    }

    @Override
    public synchronized HealthStatus run() {
        Instant now = clock.instant();
        if (answered()) {
            askedAt = now;
            rejected = true;
        }
        if (rejected) {
            sendQuestion();
        }
        if (answer.isCompletedExceptionally()) {
            return HealthStatus.unhealthy("the ledger's loop has ended");
        }
        Duration silent = Duration.between(askedAt, now);
        return answered() || silent.compareTo(TIMEOUT) <= 0
                ? HealthStatus.healthy("")
                : HealthStatus.unhealthy("the ledger's loop has not answered for %d s".formatted(silent.toSeconds()));
    }

    private boolean answered() {
        return !rejected && answer.isDone() && !answer.isCompletedExceptionally();
    }

    /** A full inbox is tried again at the next call; the time counts from when it was first full. */
    private void sendQuestion() {
        try {
            answer = loop.get();
            rejected = false;
        } catch (RejectedExecutionException full) {
            LOG.debug("the loop's inbox is full", full);
        }
    }
}
