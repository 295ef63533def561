package dev.berth.kubernetes.election;

import dev.berth.kubernetes.election.LeaseStore.Reply;
import dev.berth.kubernetes.time.ManualTime;
import dev.berth.kubernetes.time.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** An API server that keeps the members' Leases. */
final class FakeMembers {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final ManualTime time;
    private final Map<String, Lease> leases = new TreeMap<>();
    private long version = 1;

    FakeMembers(ManualTime time) {
        this.time = time;
    }

    List<Lease> leases() {
        return List.copyOf(leases.values());
    }

    private Reply create(Lease fresh) {
        return leases.containsKey(fresh.name()) ? new Reply.Changed() : store(fresh);
    }

    private Reply update(Lease next) {
        Lease there = leases.get(next.name());
        if (there == null) {
            return new Reply.Missing();
        }
        return there.version().equals(next.version()) ? store(next) : new Reply.Changed();
    }

    private Reply delete(Lease seen) {
        Lease there = leases.get(seen.name());
        if (there == null) {
            return new Reply.Missing();
        }
        if (!there.version().equals(seen.version())) {
            return new Reply.Changed();
        }
        leases.remove(seen.name());
        return new Reply.Found(there);
    }

    private Reply store(Lease next) {
        Lease stored = new Lease(next.object().with(Long.toString(++version), "metadata", "resourceVersion"));
        leases.put(stored.name(), stored);
        return new Reply.Found(stored);
    }

    /** The way of a member that hears replies by its own timer. */
    Way way(Timer own) {
        return new Way(own);
    }

    final class Way implements MemberStore {
        private final Timer own;
        private boolean cut;
        private Duration each = Duration.ofMillis(5);

        private Way(Timer own) {
            this.own = own;
        }

        /** Whether requests do not arrive. */
        void cut(boolean value) {
            cut = value;
        }

        boolean isCut() {
            return cut;
        }

        /** Whether requests and replies take a second each. */
        void slow(boolean value) {
            each = value ? Duration.ofSeconds(1) : Duration.ofMillis(5);
        }

        @Override
        public CompletionStage<Listed> list() {
            return carried(() -> new Listed.Found(leases()), new Listed.Failed("timeout"));
        }

        @Override
        public CompletionStage<Reply> create(Lease lease) {
            return carried(() -> FakeMembers.this.create(lease), new Reply.Failed("timeout"));
        }

        @Override
        public CompletionStage<Reply> update(Lease lease) {
            return carried(() -> FakeMembers.this.update(lease), new Reply.Failed("timeout"));
        }

        @Override
        public CompletionStage<Reply> delete(Lease lease) {
            return carried(() -> FakeMembers.this.delete(lease), new Reply.Failed("timeout"));
        }

        private <T> CompletionStage<T> carried(Supplier<T> request, T failed) {
            CompletableFuture<T> reply = new CompletableFuture<>();
            if (cut) {
                time.after(TIMEOUT, () -> own.after(Duration.ZERO, () -> reply.complete(failed)));
            } else {
                Duration back = each;
                time.after(each, () -> {
                    T made = request.get();
                    own.after(back, () -> reply.complete(made));
                });
            }
            return reply;
        }
    }
}
