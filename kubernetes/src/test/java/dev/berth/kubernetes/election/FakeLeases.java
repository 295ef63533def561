package dev.berth.kubernetes.election;

import dev.berth.kubernetes.time.ManualTime;
import dev.berth.kubernetes.time.Timer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** One Lease as an API server keeps it, and for each candidate a way to it that can be cut. */
final class FakeLeases {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final ManualTime time;
    private final Map<String, FakeLeases> others = new HashMap<>();
    private Optional<Lease> lease = Optional.empty();
    private long version = 1;

    FakeLeases(ManualTime time) {
        this.time = time;
    }

    /** A Lease of this name beside this one: who leads by the one knows nothing of the other. */
    FakeLeases named(String name) {
        return others.computeIfAbsent(name, other -> new FakeLeases(time));
    }

    Optional<Lease> lease() {
        return lease;
    }

    private LeaseStore.Reply create(Lease fresh) {
        if (lease.isPresent()) {
            return new LeaseStore.Reply.Changed();
        }
        return store(fresh);
    }

    private LeaseStore.Reply update(Lease next) {
        if (lease.isEmpty()) {
            return new LeaseStore.Reply.Missing();
        }
        String expected = next.object().text("metadata", "resourceVersion");
        String actual = lease.get().object().text("metadata", "resourceVersion");
        return expected.equals(actual) ? store(next) : new LeaseStore.Reply.Changed();
    }

    private LeaseStore.Reply store(Lease next) {
        lease = Optional.of(new Lease(next.object().with(Long.toString(++version), "metadata", "resourceVersion")));
        return read();
    }

    private LeaseStore.Reply read() {
        return lease.<LeaseStore.Reply>map(found -> new LeaseStore.Reply.Found(found))
                .orElseGet(LeaseStore.Reply.Missing::new);
    }

    /** The way of one who hears answers by its own timer. */
    Way way(Timer own) {
        return new Way(own);
    }

    /** What happens to a candidate's requests. */
    enum Weather {
        CLEAR,
        /** Requests do not arrive. */
        CUT,
        /** Requests arrive, answers do not. */
        DEAF,
        /** The server says to each write that somebody else was faster. */
        REFUSED,
        /** The server lets it read the Lease but not write it. */
        READ_ONLY,
        /** Everything arrives, seconds later. */
        SLOW
    }

    final class Way implements LeaseStore {
        private final Timer own;
        private Weather weather = Weather.CLEAR;
        private int refusals;

        private Way(Timer own) {
            this.own = own;
        }

        void weather(Weather next) {
            weather = next;
        }

        boolean isCut() {
            return weather == Weather.CUT;
        }

        /** What was asked while it was {@link Weather#REFUSED}. */
        int askedInVain() {
            return refusals;
        }

        @Override
        public CompletionStage<Reply> read() {
            return carried(FakeLeases.this::read);
        }

        @Override
        public CompletionStage<Reply> create(Lease fresh) {
            return carried(allowed(() -> FakeLeases.this.create(fresh)));
        }

        @Override
        public CompletionStage<Reply> update(Lease next) {
            return carried(allowed(() -> FakeLeases.this.update(next)));
        }

        private Supplier<Reply> allowed(Supplier<Reply> write) {
            return weather == Weather.READ_ONLY ? () -> new Reply.Failed("forbidden") : write;
        }

        private CompletionStage<Reply> carried(Supplier<Reply> request) {
            CompletableFuture<Reply> reply = new CompletableFuture<>();
            switch (weather) {
                case CLEAR, READ_ONLY -> time.after(Duration.ofMillis(5), () -> hear(request.get(), reply));
                case REFUSED -> time.after(Duration.ofMillis(5), () -> hear(refused(request), reply));
                case CUT -> time.after(TIMEOUT, () -> hear(new Reply.Failed("timeout"), reply));
                case DEAF -> {
                    time.after(Duration.ofMillis(5), () -> {
                        Reply unheard = request.get();
                        time.after(TIMEOUT, () -> hear(new Reply.Failed("no answer, but " + unheard), reply));
                    });
                }
                case SLOW ->
                    time.after(Duration.ofSeconds(2), () -> {
                        Reply made = request.get();
                        time.after(Duration.ofSeconds(2), () -> hear(made, reply));
                    });
            }
            return reply;
        }

        private Reply refused(Supplier<Reply> request) {
            refusals++;
            Optional<Lease> before = lease;
            Reply made = request.get();
            boolean write = !lease.equals(before);
            lease = before;
            return write ? new Reply.Changed() : made;
        }

        private void hear(Reply answer, CompletableFuture<Reply> reply) {
            own.after(Duration.ZERO, () -> reply.complete(answer));
        }
    }
}
