package dev.berth.app.diagnostics;

import dev.berth.http.diagnostics.HealthCheck.HealthStatus;
import dev.berth.kubernetes.api.ApiClient;
import dev.berth.kubernetes.leaderelection.LeaseHolder;
import dev.berth.kubernetes.time.TaskTimer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks whether a kube-scheduler runs while Berth serves {@code default-scheduler}: both would bind the pods without a
 * scheduler name, each without the other's decisions. The check reads the Lease that kube-scheduler renews. That
 * kube-scheduler may serve only other names, which no object shows, so this is a warning. Safe from any thread.
 */
public final class KubeSchedulerConflictCheck {
    private static final Logger LOG = LoggerFactory.getLogger(KubeSchedulerConflictCheck.class);
    private static final String NAME = "default-scheduler";
    private static final String NAMESPACE = "kube-system";
    private static final String LEASE = "kube-scheduler";
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration REFRESH_INTERVAL = Duration.ofSeconds(30);
    private static final Duration MAX_AGE = Duration.ofSeconds(5);
    private static final Duration RESULT_TIMEOUT = Duration.ofSeconds(2);
    /** The maximum difference between the holder's clock and the API server's. */
    private static final Duration SKEW_TOLERANCE = Duration.ofSeconds(10);

    private final ApiClient client;
    private final Supplier<Set<String>> schedulerNames;
    private final InstantSource clock;
    private volatile Instant lastRefresh = Instant.MIN;
    private volatile CompletableFuture<Void> pendingRead = CompletableFuture.completedFuture(null);
    private volatile Optional<String> warning = Optional.empty();

    /**
     * Does not read yet.
     *
     * @param served returns the scheduler names that Berth serves now
     * @param clock the API server's clock
     */
    public KubeSchedulerConflictCheck(ApiClient client, Supplier<Set<String>> served, InstantSource clock) {
        this.client = client;
        this.schedulerNames = served;
        this.clock = clock;
    }

    /** Checks now and every half minute, even if /readyz is not called: a kube-scheduler may start at any time. */
    public void start(TaskTimer timer) {
        refresh();
        timer.schedule(REFRESH_INTERVAL, () -> start(timer));
    }

    /**
     * Reads the Lease, and logs a warning when it is first found to be renewed. Does not block.
     *
     * @return completes when the result is known
     */
    public CompletionStage<Void> refresh() {
        lastRefresh = clock.instant();
        CompletableFuture<Void> read = readLease();
        pendingRead = read;
        return read;
    }

    private CompletableFuture<Void> readLease() {
        if (schedulerNames.get().contains(NAME)) {
            return LeaseHolder.read(client, NAMESPACE, LEASE, READ_TIMEOUT).thenAccept(this::onLeaseRead);
        }
        warning = Optional.empty();
        return CompletableFuture.completedFuture(null);
    }

    private void onLeaseRead(Optional<LeaseHolder> holder) {
        Optional<String> now = holder.filter(it -> it.renewTime()
                        .plus(it.leaseDuration())
                        .plus(SKEW_TOLERANCE)
                        .isAfter(clock.instant()))
                .map(it ->
                        ("%s renews Lease %s/%s: a kube-scheduler runs in this cluster. If it serves %s, both bind the same"
                                        + " pods. Stop kube-scheduler, or remove %4$s from schedulerNames in Berth's configuration")
                                .formatted(it.identity(), NAMESPACE, LEASE, NAME));
        boolean isNew = now.isPresent() && !now.equals(warning);
        warning = now;
        if (isNew) {
            LOG.warn("{}", now.get());
        }
    }

    /** The present or a recent result. If the API server does not answer soon, the last result. */
    HealthStatus healthStatus() throws InterruptedException {
        Instant now = clock.instant();
        if (now.isBefore(lastRefresh) || !now.isBefore(lastRefresh.plus(MAX_AGE))) {
            refresh();
        }
        try {
            pendingRead.get(RESULT_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException unanswered) {
            LOG.debug("Lease {}/{} could not be read", NAMESPACE, LEASE, unanswered);
        }
        return HealthStatus.healthy(warning.orElse(""));
    }
}
