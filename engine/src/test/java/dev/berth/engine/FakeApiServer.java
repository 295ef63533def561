package dev.berth.engine;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.effect.Effect;
import dev.berth.core.fact.Fact;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Pods and what is written to them, as an API server keeps them: a bind is taken once, the UID decides. What was written
 * shows in the watch when {@link #sendWatchEvents} is called. Faults are planned one by one and hit the next bind.
 */
final class FakeApiServer implements ApiServerClient {
    final List<String> events = new ArrayList<>();
    final List<String> conditions = new ArrayList<>();
    private final Map<PodUid, Pod> pods = new HashMap<>();
    private final Deque<Fact> unpublished = new ArrayDeque<>();
    private final Deque<Function<Effect.Bind, CompletionStage<WriteResponse>>> faults = new ArrayDeque<>();
    private final Deque<CompletionStage<WriteResponse>> reportFaults = new ArrayDeque<>();
    private WriteResponse reportAnswer = new WriteResponse.Succeeded();
    private Runnable late = () -> {};
    private int readsToFail;
    int bindCalls;
    int reportCalls;

    void create(Pod pod) {
        pods.put(pod.uid(), pod);
        unpublished.add(new Fact.PodUpserted(pod));
    }

    void delete(PodUid uid) {
        if (pods.remove(uid) != null) {
            unpublished.add(new Fact.PodDeleted(uid));
        }
    }

    Optional<String> nodeOf(String name) {
        return pods.values().stream()
                .filter(pod -> pod.name().equals(name))
                .findFirst()
                .flatMap(Pod::nodeName);
    }

    /** The next bind is answered so, and nothing is written. */
    void answerNextBind(WriteResponse writeResponse) {
        faults.add(bind -> CompletableFuture.completedFuture(writeResponse));
    }

    /** The next bind is written, but its answer is lost. */
    void loseNextAnswer() {
        faults.add(bind -> {
            write(bind);
            return CompletableFuture.completedFuture(new WriteResponse.Unknown("connection reset"));
        });
    }

    /** Another scheduler binds the pod just before the next bind arrives. */
    void bindNextPodElsewhereFirst(String node) {
        faults.add(bind -> {
            write(new Effect.Bind(bind.pod(), node, Map.of()));
            return CompletableFuture.completedFuture(write(bind));
        });
    }

    /** The next bind is neither answered nor written until the future is completed. */
    CompletableFuture<WriteResponse> holdNextBind() {
        CompletableFuture<WriteResponse> open = new CompletableFuture<>();
        faults.add(bind -> open);
        return open;
    }

    /** So many binds are never answered. */
    void holdNextBinds(int count) {
        for (int i = 0; i < count; i++) {
            faults.add(bind -> new CompletableFuture<>());
        }
    }

    /** The next bind is written only when {@link #deliverDelayedBinds} is called, and its answer is lost. */
    void delayNextBind() {
        faults.add(bind -> {
            late = () -> write(bind);
            return CompletableFuture.completedFuture(new WriteResponse.Unknown("connection reset"));
        });
    }

    void deliverDelayedBinds() {
        late.run();
    }

    /** Conditions and events are answered so from now on, and written when the answer is done. */
    void answerReports(WriteResponse writeResponse) {
        reportAnswer = writeResponse;
    }

    void answerNextReport(WriteResponse writeResponse) {
        reportFaults.add(CompletableFuture.completedFuture(writeResponse));
    }

    CompletableFuture<WriteResponse> holdNextReport() {
        CompletableFuture<WriteResponse> open = new CompletableFuture<>();
        reportFaults.add(open);
        return open;
    }

    void failNextReads(int count) {
        readsToFail = count;
    }

    /** Lets the watch show everything that was written since. */
    void sendWatchEvents(FactSink sink) throws InterruptedException {
        for (Fact fact = unpublished.poll(); fact != null; fact = unpublished.poll()) {
            sink.accept(fact);
        }
    }

    @Override
    public CompletionStage<WriteResponse> bind(Effect.Bind bind) {
        bindCalls++;
        Function<Effect.Bind, CompletionStage<WriteResponse>> fault = faults.poll();
        return fault == null ? CompletableFuture.completedFuture(write(bind)) : fault.apply(bind);
    }

    private WriteResponse write(Effect.Bind bind) {
        Pod pod = pods.get(bind.pod().uid());
        if (pod == null) {
            return new WriteResponse.NotFound(
                    "pods \"%s\" not found".formatted(bind.pod().name()));
        }
        if (pod.nodeName().isPresent()) {
            boolean same = pod.nodeName().get().equals(bind.node());
            return same
                    ? new WriteResponse.Succeeded()
                    : new WriteResponse.Conflict("pod is already assigned to a node");
        }
        Map<String, String> annotations = new TreeMap<>();
        pod.annotations().forEach(annotations::put);
        annotations.putAll(bind.annotations());
        Pod bound = pod.boundTo(bind.node()).toBuilder()
                .annotations(Labels.of(annotations))
                .build();
        pods.put(pod.uid(), bound);
        unpublished.add(new Fact.PodUpserted(bound));
        return new WriteResponse.Succeeded();
    }

    @Override
    public CompletionStage<WriteResponse> markUnscheduled(Effect.MarkUnscheduled mark) {
        return reported(
                conditions, "%s %s: %s".formatted(mark.pod(), mark.reason().text(), mark.message()));
    }

    @Override
    public CompletionStage<WriteResponse> recordEvent(Effect.RecordEvent announcement) {
        return reported(events, "%s %s".formatted(announcement.kind().reason(), announcement.note()));
    }

    private CompletionStage<WriteResponse> reported(List<String> book, String words) {
        reportCalls++;
        CompletionStage<WriteResponse> fault = reportFaults.poll();
        if (fault != null) {
            return fault;
        }
        if (reportAnswer instanceof WriteResponse.Succeeded) {
            book.add(words);
        }
        return CompletableFuture.completedFuture(reportAnswer);
    }

    /** The objects of doors, by key, as they were written last. */
    final Map<String, Effect.Write> objects = new TreeMap<>();

    private final Deque<WriteResponse> writeFaults = new ArrayDeque<>();

    /** The next write of a door's object is answered so, and nothing is written. */
    void answerNextWrite(WriteResponse writeResponse) {
        writeFaults.add(writeResponse);
    }

    @Override
    public CompletionStage<WriteResponse> write(Effect.Write write) {
        WriteResponse fault = writeFaults.poll();
        if (fault != null) {
            return CompletableFuture.completedFuture(fault);
        }
        objects.put(write.key(), write);
        return CompletableFuture.completedFuture(new WriteResponse.Succeeded());
    }

    @Override
    public CompletionStage<PodLookupResult> findPod(Effect.PodRef ref) {
        if (readsToFail > 0) {
            readsToFail--;
            return CompletableFuture.completedFuture(new PodLookupResult.ReadFailed("connection refused"));
        }
        Pod pod = pods.get(ref.uid());
        if (pod == null) {
            return CompletableFuture.completedFuture(new PodLookupResult.NotFound());
        }
        return CompletableFuture.completedFuture(pod.nodeName()
                .<PodLookupResult>map(PodLookupResult.Bound::new)
                .orElseGet(PodLookupResult.Unbound::new));
    }
}
