package dev.berth.kubernetes.leaderelection;

import dev.berth.kubernetes.time.ManualTimer;
import dev.berth.kubernetes.time.TaskTimer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** One Lease as an API server keeps it, and for each candidate a way to it that can be cut. */
final class FakeLeaseServer {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final ManualTimer time;
    private final Map<String, FakeLeaseServer> othersByName = new HashMap<>();
    private Optional<Lease> lease = Optional.empty();
    private long version = 1;

    FakeLeaseServer(ManualTimer time) {
        this.time = time;
    }

    /** A second Lease of this name on its own: the leader of one does not know the other. */
    FakeLeaseServer named(String name) {
        return othersByName.computeIfAbsent(name, other -> new FakeLeaseServer(time));
    }

    Optional<Lease> lease() {
        return lease;
    }

    private LeaseStore.LeaseResult create(Lease fresh) {
        if (lease.isPresent()) {
            return new LeaseStore.LeaseResult.Conflict();
        }
        return store(fresh);
    }

    private LeaseStore.LeaseResult update(Lease next) {
        if (lease.isEmpty()) {
            return new LeaseStore.LeaseResult.NotFound();
        }
        String expected = next.object().text("metadata", "resourceVersion");
        String actual = lease.get().object().text("metadata", "resourceVersion");
        return expected.equals(actual) ? store(next) : new LeaseStore.LeaseResult.Conflict();
    }

    private LeaseStore.LeaseResult store(Lease next) {
        lease = Optional.of(new Lease(next.object().with(Long.toString(++version), "metadata", "resourceVersion")));
        return read();
    }

    private LeaseStore.LeaseResult read() {
        return lease.<LeaseStore.LeaseResult>map(found -> new LeaseStore.LeaseResult.Found(found))
                .orElseGet(LeaseStore.LeaseResult.NotFound::new);
    }

    /** The connection of a candidate that gets responses on its own timer. */
    Connection connect(TaskTimer own) {
        return new Connection(own);
    }

    /** What happens to a candidate's requests. */
    enum NetworkCondition {
        HEALTHY,
        /** Requests do not arrive. */
        CUT,
        /** Requests arrive, answers do not. */
        RESPONSES_LOST,
        /** The server answers each write with a conflict. */
        ALWAYS_CONFLICT,
        /** The server lets it read the Lease but not write it. */
        READ_ONLY,
        /** Everything arrives, seconds later. */
        SLOW
    }

    final class Connection implements LeaseStore {
        private final TaskTimer timer;
        private NetworkCondition networkCondition = NetworkCondition.HEALTHY;
        private int conflictCount;

        private Connection(TaskTimer own) {
            this.timer = own;
        }

        void setNetworkCondition(NetworkCondition next) {
            networkCondition = next;
        }

        boolean isCut() {
            return networkCondition == NetworkCondition.CUT;
        }

        /** The requests during {@link NetworkCondition#ALWAYS_CONFLICT}. */
        int conflictCount() {
            return conflictCount;
        }

        @Override
        public CompletionStage<LeaseResult> read() {
            return send(FakeLeaseServer.this::read);
        }

        @Override
        public CompletionStage<LeaseResult> create(Lease fresh) {
            return send(allowed(() -> FakeLeaseServer.this.create(fresh)));
        }

        @Override
        public CompletionStage<LeaseResult> update(Lease next) {
            return send(allowed(() -> FakeLeaseServer.this.update(next)));
        }

        private Supplier<LeaseResult> allowed(Supplier<LeaseResult> write) {
            return networkCondition == NetworkCondition.READ_ONLY ? () -> new LeaseResult.Failed("forbidden") : write;
        }

        private CompletionStage<LeaseResult> send(Supplier<LeaseResult> request) {
            CompletableFuture<LeaseResult> leaseResult = new CompletableFuture<>();
            switch (networkCondition) {
                case HEALTHY, READ_ONLY ->
                    time.schedule(Duration.ofMillis(5), () -> respond(request.get(), leaseResult));
                case ALWAYS_CONFLICT ->
                    time.schedule(Duration.ofMillis(5), () -> respond(respondWithConflict(request), leaseResult));
                case CUT -> time.schedule(TIMEOUT, () -> respond(new LeaseResult.Failed("timeout"), leaseResult));
                case RESPONSES_LOST -> {
                    time.schedule(Duration.ofMillis(5), () -> {
                        LeaseResult unheard = request.get();
                        time.schedule(
                                TIMEOUT,
                                () -> respond(new LeaseResult.Failed("no answer, but " + unheard), leaseResult));
                    });
                }
                case SLOW ->
                    time.schedule(Duration.ofSeconds(2), () -> {
                        LeaseResult made = request.get();
                        time.schedule(Duration.ofSeconds(2), () -> respond(made, leaseResult));
                    });
            }
            return leaseResult;
        }

        private LeaseResult respondWithConflict(Supplier<LeaseResult> request) {
            conflictCount++;
            Optional<Lease> before = lease;
            LeaseResult made = request.get();
            boolean write = !lease.equals(before);
            lease = before;
            return write ? new LeaseResult.Conflict() : made;
        }

        private void respond(LeaseResult answer, CompletableFuture<LeaseResult> leaseResult) {
            timer.schedule(Duration.ZERO, () -> leaseResult.complete(answer));
        }
    }
}
