package dev.berth.app.run;

import dev.berth.app.config.Config;
import dev.berth.kubernetes.api.ApiClient;
import dev.berth.kubernetes.leaderelection.SchedulerLeaseWatcher;
import dev.berth.kubernetes.leaderelection.SchedulerLeaseWatcher.BlockedName;
import dev.berth.kubernetes.time.Clocks;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Leaves scheduler names to their own schedulers, while these hold their Leases. */
final class YieldedNames {
    /** Longer than a read may take. */
    private static final Duration FIRST_READ_TIMEOUT = Duration.ofSeconds(7);

    private static final Logger LOG = LoggerFactory.getLogger(YieldedNames.class);

    private final SchedulerLeaseWatcher watcher;

    /**
     * Reads nothing yet.
     *
     * @param period how often the Leases are read
     * @param onChange called when other names must be served than before
     */
    YieldedNames(
            ApiClient client,
            Duration period,
            Clocks clocks,
            Supplier<Optional<Instant>> serverTime,
            Runnable onChange) {
        this.watcher = SchedulerLeaseWatcher.forApiServer(client, period, clocks, serverTime, onChange);
    }

    /**
     * The configuration without the names that other schedulers serve now. Waits until the Leases of its names were read
     * once. From then on these are watched.
     */
    Config removeFrom(Config config) {
        try {
            watcher.watch(config.schedulerLeases().of(config.schedulerNames()))
                    .toCompletableFuture()
                    .get(FIRST_READ_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException unanswered) {
            LOG.debug("the Leases of other schedulers were not read in time", unanswered);
        }
        Map<String, String> reasons = new TreeMap<>();
        blockedNames().forEach((name, block) -> reasons.put(name, block.reason()));
        reasons.keySet().retainAll(config.schedulerNames());
        return config.withYieldedNames(reasons);
    }

    /** The names that must not be served now. */
    Map<String, BlockedName> blockedNames() {
        return watcher.blockedNames();
    }

    /** A standby serves nothing, so it reads no Leases of other schedulers. */
    void stop() {
        watcher.watch(Map.of());
    }
}
