package dev.berth.engine;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.decision.Effect;
import dev.berth.core.decision.Fact;
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
 * shows in the watch when {@link #echo} is called. Faults are planned one by one and hit the next bind.
 */
final class FakeApiServer implements Cluster {
    final List<String> events = new ArrayList<>();
    final List<String> conditions = new ArrayList<>();
    private final Map<PodUid, Pod> pods = new HashMap<>();
    private final Deque<Fact> unseen = new ArrayDeque<>();
    private final Deque<Function<Effect.Bind, CompletionStage<Answer>>> faults = new ArrayDeque<>();
    private final Deque<CompletionStage<Answer>> reportFaults = new ArrayDeque<>();
    private Answer reportAnswer = new Answer.Done();
    private Runnable late = () -> {};
    private int readsToFail;
    int bindCalls;
    int reportCalls;

    void create(Pod pod) {
        pods.put(pod.uid(), pod);
        unseen.add(new Fact.PodSeen(pod));
    }

    void delete(PodUid uid) {
        if (pods.remove(uid) != null) {
            unseen.add(new Fact.PodGone(uid));
        }
    }

    Optional<String> nodeOf(String name) {
        return pods.values().stream()
                .filter(pod -> pod.name().equals(name))
                .findFirst()
                .flatMap(Pod::nodeName);
    }

    /** The next bind is answered so, and nothing is written. */
    void answerNextBind(Answer answer) {
        faults.add(bind -> CompletableFuture.completedFuture(answer));
    }

    /** The next bind is written, but its answer is lost. */
    void loseNextAnswer() {
        faults.add(bind -> {
            write(bind);
            return CompletableFuture.completedFuture(new Answer.Unknown("connection reset"));
        });
    }

    /** Somebody else binds the pod just before the next bind arrives. */
    void otherBinderIsFaster(String node) {
        faults.add(bind -> {
            write(new Effect.Bind(bind.pod(), node, Map.of()));
            return CompletableFuture.completedFuture(write(bind));
        });
    }

    /** The next bind is neither answered nor written until the future is completed. */
    CompletableFuture<Answer> holdNextBind() {
        CompletableFuture<Answer> open = new CompletableFuture<>();
        faults.add(bind -> open);
        return open;
    }

    /** So many binds are never answered. */
    void holdNextBinds(int count) {
        for (int i = 0; i < count; i++) {
            faults.add(bind -> new CompletableFuture<>());
        }
    }

    /** The next bind is written only when {@link #land} is called, and its answer is lost. */
    void delayNextBind() {
        faults.add(bind -> {
            late = () -> write(bind);
            return CompletableFuture.completedFuture(new Answer.Unknown("connection reset"));
        });
    }

    void land() {
        late.run();
    }

    /** Conditions and events are answered so from now on, and written when the answer is done. */
    void answerReports(Answer answer) {
        reportAnswer = answer;
    }

    void answerNextReport(Answer answer) {
        reportFaults.add(CompletableFuture.completedFuture(answer));
    }

    CompletableFuture<Answer> holdNextReport() {
        CompletableFuture<Answer> open = new CompletableFuture<>();
        reportFaults.add(open);
        return open;
    }

    void failNextReads(int count) {
        readsToFail = count;
    }

    /** Lets the watch show everything that was written since. */
    void echo(FactSink sink) throws InterruptedException {
        for (Fact fact = unseen.poll(); fact != null; fact = unseen.poll()) {
            sink.accept(fact);
        }
    }

    @Override
    public CompletionStage<Answer> bind(Effect.Bind bind) {
        bindCalls++;
        Function<Effect.Bind, CompletionStage<Answer>> fault = faults.poll();
        return fault == null ? CompletableFuture.completedFuture(write(bind)) : fault.apply(bind);
    }

    private Answer write(Effect.Bind bind) {
        Pod pod = pods.get(bind.pod().uid());
        if (pod == null) {
            return new Answer.Gone("pods \"%s\" not found".formatted(bind.pod().name()));
        }
        if (pod.nodeName().isPresent()) {
            boolean same = pod.nodeName().get().equals(bind.node());
            return same ? new Answer.Done() : new Answer.Conflict("pod is already assigned to a node");
        }
        Map<String, String> annotations = new TreeMap<>();
        pod.annotations().forEach(annotations::put);
        annotations.putAll(bind.annotations());
        Pod bound = pod.on(bind.node()).toBuilder()
                .annotations(Labels.of(annotations))
                .build();
        pods.put(pod.uid(), bound);
        unseen.add(new Fact.PodSeen(bound));
        return new Answer.Done();
    }

    @Override
    public CompletionStage<Answer> mark(Effect.MarkUnscheduled mark) {
        return reported(
                conditions, "%s %s: %s".formatted(mark.pod(), mark.reason().word(), mark.message()));
    }

    @Override
    public CompletionStage<Answer> announce(Effect.Announce announcement) {
        return reported(events, "%s %s".formatted(announcement.kind().reason(), announcement.note()));
    }

    private CompletionStage<Answer> reported(List<String> book, String words) {
        reportCalls++;
        CompletionStage<Answer> fault = reportFaults.poll();
        if (fault != null) {
            return fault;
        }
        if (reportAnswer instanceof Answer.Done) {
            book.add(words);
        }
        return CompletableFuture.completedFuture(reportAnswer);
    }

    /** The objects of doors, by key, as they were written last. */
    final Map<String, Effect.Write> objects = new TreeMap<>();

    private final Deque<Answer> writeFaults = new ArrayDeque<>();

    /** The next write of a door's object is answered so, and nothing is written. */
    void answerNextWrite(Answer answer) {
        writeFaults.add(answer);
    }

    @Override
    public CompletionStage<Answer> write(Effect.Write write) {
        Answer fault = writeFaults.poll();
        if (fault != null) {
            return CompletableFuture.completedFuture(fault);
        }
        objects.put(write.key(), write);
        return CompletableFuture.completedFuture(new Answer.Done());
    }

    @Override
    public CompletionStage<Whereabouts> find(Effect.PodRef ref) {
        if (readsToFail > 0) {
            readsToFail--;
            return CompletableFuture.completedFuture(new Whereabouts.NotKnown("connection refused"));
        }
        Pod pod = pods.get(ref.uid());
        if (pod == null) {
            return CompletableFuture.completedFuture(new Whereabouts.Gone());
        }
        return CompletableFuture.completedFuture(
                pod.nodeName().<Whereabouts>map(Whereabouts.OnNode::new).orElseGet(Whereabouts.Unbound::new));
    }
}
