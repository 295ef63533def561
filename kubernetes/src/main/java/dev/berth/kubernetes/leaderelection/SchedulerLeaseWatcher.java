package dev.berth.kubernetes.leaderelection;

import dev.berth.kubernetes.api.ApiClient;
import dev.berth.kubernetes.time.Clocks;
import dev.berth.kubernetes.time.Clocks.ClockReading;
import dev.berth.kubernetes.time.TaskTimer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the Leases of other schedulers. While such a Lease is live, two schedulers would bind the pods of one scheduler
 * name, each without the other's decisions. So Berth does not serve the name. If the Lease cannot be read, it may be
 * live.
 *
 * <p>The Leases are read again and again, as candidates of a leader election read theirs. Everything happens on the timer's
 * thread, except {@link #watch} and {@link #blockedNames}, which any thread may call.
 */
public final class SchedulerLeaseWatcher {
    private static final Logger LOG = LoggerFactory.getLogger(SchedulerLeaseWatcher.class);
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(5);

    private final Function<SchedulerLease, CompletionStage<LeaseStore.LeaseResult>> reader;
    private final WatcherTimeSources time;
    private final Runnable onChange;
    private final Map<SchedulerLease, ObservedSchedulerLease> observed =
            new TreeMap<>((one, other) -> one.toString().compareTo(other.toString()));
    private Map<String, SchedulerLease> leasesByName = Map.of();
    private List<CompletableFuture<Void>> waiting = new ArrayList<>();
    private boolean readInFlight;
    private TaskTimer.ScheduledTask nextRead = TaskTimer.ScheduledTask.NONE;
    private volatile Map<String, BlockedName> blocked = Map.of();

    /**
     * A scheduler name that Berth must not serve now.
     *
     * @param reason the same as long as the cause is the same, for users
     * @param detail the holder of the Lease, or why it cannot be read
     * @param certain whether the Lease is known to be live
     */
    public record BlockedName(SchedulerLease lease, String reason, String detail, boolean certain) {
        private static BlockedName held(SchedulerLease lease, String holder) {
            return new BlockedName(
                    lease,
                    "its own scheduler holds the Lease %s. Berth serves the name when the Lease expires or is released"
                            .formatted(lease),
                    "%s holds it".formatted(holder),
                    true);
        }

        private static BlockedName unknown(SchedulerLease lease, String why) {
            return new BlockedName(
                    lease,
                    ("the Lease %s cannot be read, so Berth does not know whether the name's own scheduler runs. Give Berth the"
                                    + " permission to get this Lease, as the manifests of berth install do, or set schedulerLeases in"
                                    + " Berth's configuration")
                            .formatted(lease),
                    why,
                    false);
        }

        private boolean isUnread() {
            return detail.equals(ObservedSchedulerLease.UNREAD);
        }

        @Override
        public String toString() {
            return "%s (%s)".formatted(reason, detail);
        }
    }

    /**
     * The sources of time.
     *
     * @param period how often the Leases are read
     * @param serverTime the API server's clock; empty while it is not known
     */
    record WatcherTimeSources(
            TaskTimer timer, Duration period, Clocks clocks, Supplier<Optional<Instant>> serverTime) {}

    SchedulerLeaseWatcher(
            Function<SchedulerLease, CompletionStage<LeaseStore.LeaseResult>> reader,
            WatcherTimeSources time,
            Runnable onChange) {
        this.reader = reader;
        this.time = time;
        this.onChange = onChange;
    }

    /**
     * The Leases at the API server.
     *
     * @param serverTime the API server's clock; empty while it is not known
     * @param onChange called when other names must not be served than before
     */
    public static SchedulerLeaseWatcher forApiServer(
            ApiClient client,
            Duration period,
            Clocks clocks,
            Supplier<Optional<Instant>> serverTime,
            Runnable onChange) {
        return new SchedulerLeaseWatcher(
                lease -> client.get(lease.path(), "application/json", READ_TIMEOUT)
                        .handleAsync(ApiLeaseStore::parseResult, client.callExecutor()),
                new WatcherTimeSources(TaskTimer.onExecutor(client.callExecutor()), period, clocks, serverTime),
                onChange);
    }

    /**
     * Replaces the watched Leases.
     *
     * @param leases by scheduler name
     * @return completes when all of them were read, or could not be read
     */
    public CompletionStage<Void> watch(Map<String, SchedulerLease> leases) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        time.timer().schedule(Duration.ZERO, () -> {
            boolean allKnown = observed.keySet().containsAll(leases.values());
            leasesByName = new TreeMap<>(leases);
            observed.keySet().retainAll(leases.values());
            leases.values().forEach(lease -> observed.computeIfAbsent(lease, none -> new ObservedSchedulerLease()));
            // A Lease that was not read yet may be live: the first answer may be late.
            update();
            if (allKnown && !readInFlight) {
                done.complete(null);
            } else {
                waiting.add(done);
            }
            if (!allKnown) {
                read();
            }
        });
        return done;
    }

    /** The watched names that Berth must not serve now. */
    public Map<String, BlockedName> blockedNames() {
        return blocked;
    }

    private void read() {
        if (readInFlight) {
            // Leases that were added meanwhile are read next.
            return;
        }
        nextRead.cancel();
        readInFlight = true;
        List<CompletableFuture<Void>> answered = waiting;
        waiting = new ArrayList<>();
        CompletableFuture<?>[] reads = List.copyOf(observed.keySet()).stream()
                .map(lease -> reader.apply(lease)
                        .thenAccept(result -> onRead(lease, result))
                        .toCompletableFuture())
                .toArray(CompletableFuture[]::new);
        CompletionStage<Void> all = CompletableFuture.allOf(reads);
        all.whenComplete((none, failed) -> onAllRead(answered));
    }

    private void onAllRead(List<CompletableFuture<Void>> answered) {
        readInFlight = false;
        boolean changed = update();
        answered.forEach(done -> done.complete(null));
        if (changed) {
            onChange.run();
        }
        if (!waiting.isEmpty()) {
            read();
        } else if (!observed.isEmpty()) {
            nextRead = time.timer().schedule(time.period(), this::read);
        }
    }

    private void onRead(SchedulerLease lease, LeaseStore.LeaseResult result) {
        ObservedSchedulerLease known = observed.get(lease);
        if (known != null) {
            known.onRead(result, time.clocks().now(), time.serverTime().get());
        }
    }

    /** Returns whether other names are blocked than before, or for other reasons. */
    private boolean update() {
        ClockReading now = time.clocks().now();
        Map<String, BlockedName> next = new TreeMap<>();
        leasesByName.forEach((name, lease) -> findBlock(lease, now).ifPresent(block -> next.put(name, block)));
        Map<String, BlockedName> before = blocked;
        blocked = next;
        next.forEach((name, block) -> {
            if (!block.equals(before.get(name)) && !block.isUnread()) {
                LOG.warn("schedulerName {} is not served: {}", name, block);
            }
        });
        before.forEach((name, block) -> {
            if (!next.containsKey(name) && leasesByName.containsKey(name) && !block.isUnread()) {
                LOG.info("schedulerName {} is served: no scheduler holds the Lease {}", name, block.lease());
            }
        });
        return !reasons(before).equals(reasons(next));
    }

    private Optional<BlockedName> findBlock(SchedulerLease lease, ClockReading now) {
        ObservedSchedulerLease known = observed.get(lease);
        if (known == null) {
            return Optional.empty();
        }
        return known.unknownReason(now)
                .map(why -> BlockedName.unknown(lease, why))
                .or(() -> known.liveHolder(now).map(holder -> BlockedName.held(lease, holder)));
    }

    private static Map<String, String> reasons(Map<String, BlockedName> names) {
        Map<String, String> reasons = new TreeMap<>();
        names.forEach((name, block) -> reasons.put(name, block.reason()));
        return reasons;
    }
}
