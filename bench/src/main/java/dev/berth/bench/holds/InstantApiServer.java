package dev.berth.bench.holds;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.globalreserve.StoredHoldFact;
import dev.berth.core.door.globalreserve.StoredHoldWrite;
import dev.berth.core.door.godel.GodelFact;
import dev.berth.core.door.godel.GodelWrite;
import dev.berth.core.door.koordinator.Reservation;
import dev.berth.core.door.koordinator.ReservationFact;
import dev.berth.core.door.koordinator.ReservationWrite;
import dev.berth.core.effect.Effect;
import dev.berth.core.fact.Fact;
import dev.berth.engine.ApiServerClient;
import dev.berth.engine.FactSink;
import dev.berth.engine.PodLookupResult;
import dev.berth.engine.WriteResponse;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** An API server that accepts every write at once and shows it to the watch, from a thread of its own. */
final class InstantApiServer implements ApiServerClient {
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
        public void onListed(ListedKind listedKind) {
            throw new IllegalStateException("the loop is not there yet");
        }
    };

    void connect(FactSink loop) {
        sink = loop;
    }

    void create(Pod pod) throws InterruptedException {
        pods.put(pod.uid(), pod);
        sink.accept(new Fact.PodUpserted(pod));
    }

    void create(Reservation reservation) throws InterruptedException {
        reservations.put(reservation.uid(), reservation);
        sink.accept(new ReservationFact.Upserted(reservation));
    }

    /** The number of bound pods so far. */
    int boundPods() {
        return bound.get();
    }

    @Override
    public CompletionStage<WriteResponse> bind(Effect.Bind bind) {
        return writeAndEcho(() -> {
            Pod pod = pods.get(bind.pod().uid());
            if (pod == null) {
                throw new IllegalStateException("pod (%s) was never created".formatted(bind.pod()));
            }
            Map<String, String> annotations = new TreeMap<>(bind.annotations());
            pod.annotations().forEach(annotations::put);
            bound.incrementAndGet();
            return new Fact.PodUpserted(
                    pod.toBuilder().annotations(Labels.of(annotations)).build().boundTo(bind.node()));
        });
    }

    @Override
    public CompletionStage<WriteResponse> markUnscheduled(Effect.MarkUnscheduled mark) {
        return CompletableFuture.completedFuture(new WriteResponse.Succeeded());
    }

    @Override
    public CompletionStage<WriteResponse> recordEvent(Effect.RecordEvent event) {
        return CompletableFuture.completedFuture(new WriteResponse.Succeeded());
    }

    @Override
    public CompletionStage<WriteResponse> write(Effect.Write write) {
        if (write instanceof ReservationWrite.UpdateStatus update) {
            return writeAndEcho(() -> new ReservationFact.Upserted(withStatus(update)));
        }
        if (write instanceof GodelWrite.CreateReservation created) {
            return writeAndEcho(() -> new GodelFact.ReservationUpserted(BenchmarkObjects.echoOf(created)));
        }
        if (write instanceof GodelWrite.DeleteReservation deleted) {
            return writeAndEcho(() -> new GodelFact.ReservationDeleted(deleted.uid()));
        }
        if (write instanceof StoredHoldWrite.Create created) {
            return writeAndEcho(
                    () -> new StoredHoldFact.Upserted(created.name(), "uid-" + created.name(), created.spec()));
        }
        return CompletableFuture.completedFuture(new WriteResponse.Succeeded());
    }

    private Reservation withStatus(ReservationWrite.UpdateStatus update) {
        return reservations.computeIfPresent(
                update.uid(),
                (uid, known) -> new Reservation(
                        known.uid(),
                        known.name(),
                        "" + (1 + Long.parseLong(known.resourceVersion())),
                        known.created(),
                        known.terminating(),
                        known.schedulerName(),
                        known.spec(),
                        known.problem(),
                        update.status()));
    }

    @Override
    public CompletionStage<PodLookupResult> findPod(Effect.PodRef pod) {
        return CompletableFuture.completedFuture(new PodLookupResult.ReadFailed("this API server loses no request"));
    }

    /** A write, and the fact that the watch shows for it. */
    private interface WriteAction {
        Fact execute();
    }

    private CompletionStage<WriteResponse> writeAndEcho(WriteAction writeAction) {
        CompletableFuture<WriteResponse> writeResponse = new CompletableFuture<>();
        watch.execute(() -> {
            try {
                Fact shown = writeAction.execute();
                writeResponse.complete(new WriteResponse.Succeeded());
                sink.accept(shown);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        });
        return writeResponse;
    }

    void stop() throws InterruptedException {
        watch.shutdownNow();
        watch.awaitTermination(10, TimeUnit.SECONDS);
    }
}
