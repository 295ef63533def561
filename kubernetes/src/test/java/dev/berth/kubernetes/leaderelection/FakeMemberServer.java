package dev.berth.kubernetes.leaderelection;

import dev.berth.kubernetes.leaderelection.LeaseStore.LeaseResult;
import dev.berth.kubernetes.time.ManualTimer;
import dev.berth.kubernetes.time.TaskTimer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** An API server that keeps the members' Leases. */
final class FakeMemberServer {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final ManualTimer time;
    private final Map<String, Lease> leases = new TreeMap<>();
    private long version = 1;

    FakeMemberServer(ManualTimer time) {
        this.time = time;
    }

    List<Lease> leases() {
        return List.copyOf(leases.values());
    }

    private LeaseResult create(Lease fresh) {
        return leases.containsKey(fresh.name()) ? new LeaseResult.Conflict() : store(fresh);
    }

    private LeaseResult update(Lease next) {
        Lease there = leases.get(next.name());
        if (there == null) {
            return new LeaseResult.NotFound();
        }
        return there.resourceVersion().equals(next.resourceVersion()) ? store(next) : new LeaseResult.Conflict();
    }

    private LeaseResult delete(Lease seen) {
        Lease there = leases.get(seen.name());
        if (there == null) {
            return new LeaseResult.NotFound();
        }
        if (!there.resourceVersion().equals(seen.resourceVersion())) {
            return new LeaseResult.Conflict();
        }
        leases.remove(seen.name());
        return new LeaseResult.Found(there);
    }

    private LeaseResult store(Lease next) {
        Lease stored = new Lease(next.object().with(Long.toString(++version), "metadata", "resourceVersion"));
        leases.put(stored.name(), stored);
        return new LeaseResult.Found(stored);
    }

    /** The connection of a member that gets responses on its own timer. */
    Connection connect(TaskTimer own) {
        return new Connection(own);
    }

    final class Connection implements MemberStore {
        private final TaskTimer timer;
        private boolean cut;
        private Duration each = Duration.ofMillis(5);

        private Connection(TaskTimer own) {
            this.timer = own;
        }

        /** Whether requests do not arrive. */
        void setCut(boolean value) {
            cut = value;
        }

        boolean isCut() {
            return cut;
        }

        /** Whether requests and replies take a second each. */
        void setSlow(boolean value) {
            each = value ? Duration.ofSeconds(1) : Duration.ofMillis(5);
        }

        @Override
        public CompletionStage<MemberListResult> list() {
            return send(() -> new MemberListResult.Found(leases()), new MemberListResult.Failed("timeout"));
        }

        @Override
        public CompletionStage<LeaseResult> create(Lease lease) {
            return send(() -> FakeMemberServer.this.create(lease), new LeaseResult.Failed("timeout"));
        }

        @Override
        public CompletionStage<LeaseResult> update(Lease lease) {
            return send(() -> FakeMemberServer.this.update(lease), new LeaseResult.Failed("timeout"));
        }

        @Override
        public CompletionStage<LeaseResult> delete(Lease lease) {
            return send(() -> FakeMemberServer.this.delete(lease), new LeaseResult.Failed("timeout"));
        }

        private <T> CompletionStage<T> send(Supplier<T> request, T failed) {
            CompletableFuture<T> reply = new CompletableFuture<>();
            if (cut) {
                time.schedule(TIMEOUT, () -> timer.schedule(Duration.ZERO, () -> reply.complete(failed)));
            } else {
                Duration back = each;
                time.schedule(each, () -> {
                    T made = request.get();
                    timer.schedule(back, () -> reply.complete(made));
                });
            }
            return reply;
        }
    }
}
