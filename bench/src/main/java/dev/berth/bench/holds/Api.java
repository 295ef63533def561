package dev.berth.bench.holds;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.decision.Effect;
import dev.berth.core.decision.Fact;
import dev.berth.core.door.comeback.ComebackFact;
import dev.berth.core.door.comeback.ComebackWrite;
import dev.berth.core.door.reservation.Reservation;
import dev.berth.core.door.reservation.ReservationFact;
import dev.berth.core.door.reservation.ReservationWrite;
import dev.berth.core.door.reserve.HoldFact;
import dev.berth.core.door.reserve.HoldWrite;
import dev.berth.engine.Answer;
import dev.berth.engine.Cluster;
import dev.berth.engine.FactSink;
import dev.berth.engine.Whereabouts;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** An API server that writes everything at once and shows it to the watch, from a thread of its own. */
final class Api implements Cluster {
    private final Map<PodUid, Pod> pods = new ConcurrentHashMap<>();
    private final Map<String, Reservation> reservations = new ConcurrentHashMap<>();
    private final AtomicInteger bound = new AtomicInteger();
    private final ExecutorService watch = Executors.newSingleThreadExecutor();
    private volatile FactSink sink = new FactSink() {
        @Override
        public void accept(Fact fact) {
            throw new IllegalStateException("the loop is not there yet");
        }

        @Override
        public void listed(Source source) {
            throw new IllegalStateException("the loop is not there yet");
        }
    };

    void shownTo(FactSink loop) {
        sink = loop;
    }

    void create(Pod pod) throws InterruptedException {
        pods.put(pod.uid(), pod);
        sink.accept(new Fact.PodSeen(pod));
    }

    void create(Reservation reservation) throws InterruptedException {
        reservations.put(reservation.uid(), reservation);
        sink.accept(new ReservationFact.Seen(reservation));
    }

    /** How many pods were bound so far. */
    int bound() {
        return bound.get();
    }

    @Override
    public CompletionStage<Answer> bind(Effect.Bind bind) {
        return written(() -> {
            Pod pod = pods.get(bind.pod().uid());
            if (pod == null) {
                throw new IllegalStateException("pod (%s) was never created".formatted(bind.pod()));
            }
            Map<String, String> annotations = new TreeMap<>(bind.annotations());
            pod.annotations().forEach(annotations::put);
            bound.incrementAndGet();
            return new Fact.PodSeen(
                    pod.toBuilder().annotations(Labels.of(annotations)).build().on(bind.node()));
        });
    }

    @Override
    public CompletionStage<Answer> mark(Effect.MarkUnscheduled mark) {
        return CompletableFuture.completedFuture(new Answer.Done());
    }

    @Override
    public CompletionStage<Answer> announce(Effect.Announce announcement) {
        return CompletableFuture.completedFuture(new Answer.Done());
    }

    @Override
    public CompletionStage<Answer> write(Effect.Write write) {
        if (write instanceof ReservationWrite.Say said) {
            return written(() -> new ReservationFact.Seen(said(said)));
        }
        if (write instanceof ComebackWrite.Create created) {
            return written(() -> new ComebackFact.PlaceholderSeen(Objects.created(created)));
        }
        if (write instanceof ComebackWrite.Delete deleted) {
            return written(() -> new ComebackFact.PlaceholderGone(deleted.uid()));
        }
        if (write instanceof HoldWrite.Create created) {
            return written(() -> new HoldFact.Seen(created.name(), "uid-" + created.name(), created.spec()));
        }
        return CompletableFuture.completedFuture(new Answer.Done());
    }

    private Reservation said(ReservationWrite.Say said) {
        return reservations.computeIfPresent(
                said.uid(),
                (uid, known) -> new Reservation(
                        known.uid(),
                        known.name(),
                        "" + (1 + Long.parseLong(known.version())),
                        known.created(),
                        known.terminating(),
                        known.schedulerName(),
                        known.terms(),
                        known.problem(),
                        said.status()));
    }

    @Override
    public CompletionStage<Whereabouts> find(Effect.PodRef pod) {
        return CompletableFuture.completedFuture(new Whereabouts.NotKnown("nothing gets lost here"));
    }

    /** Something that is written and what the watch shows of it. */
    private interface Writing {
        Fact carryOut();
    }

    private CompletionStage<Answer> written(Writing writing) {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        watch.execute(() -> {
            try {
                Fact shown = writing.carryOut();
                answer.complete(new Answer.Done());
                sink.accept(shown);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        });
        return answer;
    }

    void stop() throws InterruptedException {
        watch.shutdownNow();
        watch.awaitTermination(10, TimeUnit.SECONDS);
    }
}
