package dev.berth.core.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.effect.Effect;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.fact.Fact;
import dev.berth.core.invariant.Invariants;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.queue.QueueState;
import dev.berth.core.queue.SchedulingQueue;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.scheduling.Scheduler;
import dev.berth.core.scheduling.TimeBudget;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * A scheduler beside an API server in memory, and a clock that the test moves. The API server has nodes, pods and the objects
 * of the doors and plugins under test: a subclass says which these are, how they are listed and what a write changes.
 *
 * <p>Writes and binds are in flight from the turn that dispatches them until {@link #answer} performs them and reports their
 * results. {@link #restart} loses what is in flight and everything in memory.
 *
 * @param <S> the subclass, so that the steps of a test can be chained
 */
public abstract class SchedulerScene<S extends SchedulerScene<S>> {

    /** What the API server does with writes. */
    public enum ServerMode {
        ACCEPTING,
        /** Writes stay in flight. */
        SILENT,
        DENYING,
        /** Nothing is written, and the result is CONFLICT, although the object did not change. */
        CONFLICTING,
        /** Nothing is written, and the result is NOT_FOUND, although the object exists. */
        NOT_FOUND,
        /** Everything is written, and the watch does not show it. */
        WATCH_STALLED
    }

    public final ManualClock clock = new ManualClock();
    public final List<Effect.RecordEvent> recordedEvents = new ArrayList<>();
    /** The same as {@link #describe} writes them. */
    public final List<String> events = new ArrayList<>();
    /** The last Unschedulable message by the name of the pod. */
    public final Map<String, String> unschedulableMessages = new TreeMap<>();

    /** How many writes the API server answered. */
    public int attempts;

    private final Map<String, Node> nodes = new TreeMap<>();
    private final Map<String, Pod> pods = new TreeMap<>();
    private final List<Effect.Write> writesInFlight = new ArrayList<>();
    private final List<Effect.Bind> bindsInFlight = new ArrayList<>();
    /** What a stalled watch has not shown, by the UID of the object. */
    private final Map<String, Fact> notShown = new LinkedHashMap<>();

    private ServerMode serverMode = ServerMode.ACCEPTING;
    private boolean delaysAnswers;
    private TimeBudget timeBudget = TimeBudget.UNBOUNDED;
    private Optional<Scheduler> scheduler = Optional.empty();

    /** A scheduler that has seen nothing. */
    protected abstract Scheduler newScheduler();

    /** The objects of the doors and plugins, as a list shows them. */
    protected abstract List<Fact> listObjects();

    /** What the API server does with a write that it accepts. Changes of objects go to {@link #show}. */
    protected abstract WriteResult perform(Effect.Write write);

    /** What a test does after each step: enough turns that everything that follows from the step has happened. */
    protected abstract S runTurns();

    /** How the events of this scene are written. */
    protected String describe(Effect.RecordEvent event) {
        return "%s: %s".formatted(event.target(), event.note());
    }

    @SuppressWarnings("unchecked")
    protected final S self() {
        return (S) this;
    }

    // Nodes and pods.

    public final S upsert(NodeBuilder builder) {
        return upsert(builder.build());
    }

    public final S upsert(Node node) {
        nodes.put(node.name(), node);
        apply(new Fact.NodeUpserted(node));
        return runTurns();
    }

    public final S deleteNode(String name) {
        Node deleted = node(name);
        nodes.remove(name);
        apply(new Fact.NodeDeleted(deleted.uid()));
        return runTurns();
    }

    /** The node is deleted while no scheduler runs. */
    public final S deleteNodeUnseen(String name) {
        nodes.remove(node(name).name());
        return self();
    }

    public final Node node(String name) {
        return Optional.ofNullable(nodes.get(name)).orElseThrow(() -> new AssertionError("no node " + name));
    }

    /** The node is created or replaced while no scheduler runs. */
    public final S upsertUnseen(NodeBuilder builder) {
        Node node = builder.build();
        nodes.put(node.name(), node);
        return self();
    }

    public S upsert(PodBuilder builder) {
        return upsert(builder.build());
    }

    public final S upsert(Pod pod) {
        showPod(pod);
        return runTurns();
    }

    /** The pods are shown before the next turn. */
    public final S upsert(PodBuilder first, PodBuilder... more) {
        showPod(first.build());
        for (PodBuilder builder : more) {
            showPod(builder.build());
        }
        return runTurns();
    }

    public final S upsertAll(List<PodBuilder> builders) {
        builders.forEach(builder -> showPod(builder.build()));
        return runTurns();
    }

    public final boolean hasPod(String name) {
        return findPod(name).isPresent();
    }

    /** The pod is created, and maybe bound, while no scheduler runs. */
    public final S upsertUnseen(PodBuilder builder) {
        return upsertUnseen(builder.build());
    }

    public final S upsertUnseen(Pod pod) {
        pods.put(key(pod), pod);
        return self();
    }

    /** Its kubelet, its author or another program changes the pod. */
    public final S changePod(String name, UnaryOperator<Pod.Builder> change) {
        showPod(change.apply(pod(name).toBuilder()).build());
        return runTurns();
    }

    public final S deletePod(String name) {
        return delete(pod(name));
    }

    public final S delete(Node node) {
        return deleteNode(node.name());
    }

    public final S delete(Pod pod) {
        pods.remove(key(pod));
        apply(new Fact.PodDeleted(pod.uid()));
        return runTurns();
    }

    /** The pod is deleted while no scheduler runs. */
    public final S deletePodUnseen(String name) {
        pods.remove(key(pod(name)));
        return self();
    }

    protected final void showPod(Pod pod) {
        pods.put(key(pod), pod);
        apply(new Fact.PodUpserted(pod));
    }

    private static String key(Pod pod) {
        return pod.namespace() + "/" + pod.name();
    }

    public final Pod pod(String name) {
        return findPod(name).orElseThrow(() -> new AssertionError("no pod " + name));
    }

    public final Optional<Pod> findPod(String name) {
        return pods.values().stream().filter(pod -> pod.name().equals(name)).findFirst();
    }

    protected final Optional<Pod> findPod(PodUid uid) {
        return pods.values().stream().filter(pod -> pod.uid().equals(uid)).findFirst();
    }

    public final List<Pod> pods() {
        return List.copyOf(pods.values());
    }

    public final List<Node> nodes() {
        return List.copyOf(nodes.values());
    }

    public final List<String> nodeNames() {
        return List.copyOf(nodes.keySet());
    }

    /** The name of the pod's node, or an empty string. */
    public final String nodeOf(String pod) {
        return findPod(pod).flatMap(Pod::nodeName).orElse("");
    }

    // The API server.

    public S setServerMode(ServerMode next) {
        boolean resumed = isWatchStalled() && next != ServerMode.WATCH_STALLED;
        serverMode = next;
        if (resumed) {
            List<Fact> facts = List.copyOf(notShown.values());
            notShown.clear();
            facts.forEach(this::apply);
        }
        return runTurns();
    }

    public final ServerMode serverMode() {
        return serverMode;
    }

    public final boolean isWatchStalled() {
        return serverMode == ServerMode.WATCH_STALLED;
    }

    /** A stalled watch shows everything from now on. */
    public final S resumeWatch() {
        return isWatchStalled() ? setServerMode(ServerMode.ACCEPTING) : self();
    }

    /** Writes stay in flight in every mode, until this is called with false. Binds do not. */
    public final S delayAnswers(boolean value) {
        delaysAnswers = value;
        return runTurns();
    }

    public final boolean delaysAnswers() {
        return delaysAnswers;
    }

    /** Of the writes in flight, every second one reaches the API server. The results of all are lost. */
    public final S loseAnswers(int parity) {
        List<Effect.Write> writes = List.copyOf(writesInFlight);
        writesInFlight.clear();
        for (int i = parity; i < writes.size(); i += 2) {
            write(writes.get(i));
        }
        return self();
    }

    /** The watch shows a change of an object, unless it is stalled: then it shows the last change when it resumes. */
    protected final void show(String uid, Fact fact) {
        if (isWatchStalled()) {
            notShown.put(uid, fact);
        } else {
            apply(fact);
        }
    }

    /** Performs what is in flight and reports the results: first the binds, then the writes. */
    protected final void answer() {
        List<Effect.Bind> binds = takeBinds();
        List<Effect.Write> writes = takeWrites();
        binds.forEach(this::answer);
        writes.forEach(write -> scheduler().onWriteResult(write, write(write), clock.instant()));
    }

    private List<Effect.Bind> takeBinds() {
        List<Effect.Bind> binds = answersBinds() ? List.copyOf(bindsInFlight) : List.of();
        bindsInFlight.removeAll(binds);
        return binds;
    }

    private List<Effect.Write> takeWrites() {
        boolean answers = !delaysAnswers && serverMode != ServerMode.SILENT;
        List<Effect.Write> writes = answers ? List.copyOf(writesInFlight) : List.of();
        writesInFlight.removeAll(writes);
        return writes;
    }

    protected boolean answersBinds() {
        return true;
    }

    protected boolean acceptsBinds() {
        return true;
    }

    private void answer(Effect.Bind bind) {
        Optional<Pod> pod = findPod(bind.pod().uid()).filter(it -> acceptsBinds());
        if (pod.isPresent()) {
            showPod(bound(pod.get(), bind));
            onBound(pod.get(), bind);
            scheduler().onBound(bind).forEach(this::dispatch);
        } else {
            scheduler().onBindFailed(bind, Optional.empty(), clock.instant()).forEach(this::dispatch);
        }
    }

    /** Called for each bind that the API server performed. */
    protected void onBound(Pod pod, Effect.Bind bind) {}

    /** The pod as the API server shows it after the bind. */
    protected static Pod bound(Pod pod, Effect.Bind bind) {
        Map<String, String> annotations = new TreeMap<>(pod.annotations().toMap());
        annotations.putAll(bind.annotations());
        return pod.boundTo(bind.node()).toBuilder()
                .nominatedNodeName(Optional.empty())
                .annotations(Labels.of(annotations))
                .build();
    }

    /** What the API server answers in its present mode. */
    protected WriteResult write(Effect.Write write) {
        attempts++;
        return switch (serverMode) {
            case DENYING -> new WriteResult(WriteResult.ResultKind.DENIED, "forbidden");
            case CONFLICTING -> new WriteResult(WriteResult.ResultKind.CONFLICT, "changed");
            case NOT_FOUND -> new WriteResult(WriteResult.ResultKind.NOT_FOUND, "not found");
            case ACCEPTING, SILENT, WATCH_STALLED -> perform(write);
        };
    }

    // The scheduler.

    public final Scheduler scheduler() {
        if (scheduler.isEmpty()) {
            scheduler = Optional.of(newScheduler());
        }
        return scheduler.get();
    }

    public final Ledger ledger() {
        return scheduler().ledger();
    }

    public final S apply(Fact fact) {
        scheduler().apply(fact, clock.instant());
        return self();
    }

    public S advance(Duration time) {
        clock.advance(time);
        return runTurns();
    }

    /**
     * Repeats the round, which advances the clock, until no pod and no placement request is in its back-off. A restart ends
     * back-offs. No fixed time is long enough: a placement can release capacity, and then the next request begins a
     * back-off. For example, a pod claims an allocateOnce Reservation and needs less than its size.
     *
     * <p>A request that no event requeued is not waited for: it is unschedulable and not in its back-off. The wait
     * has a limit: after that time the queue retries every request, and a lost event would not be seen.
     */
    public final S repeatWhileBackingOff(Runnable round) {
        Instant limit = clock.instant().plus(SchedulingQueue.MAX_UNSCHEDULABLE_DURATION);
        while (isBackingOff()) {
            round.run();
            assertThat(clock.instant()).as("the end of all back-offs").isBefore(limit);
        }
        return self();
    }

    private boolean isBackingOff() {
        return scheduler().queue().podCounts().getOrDefault(QueueState.BACKING_OFF, 0) > 0;
    }

    /** From now on a turn has time for one object of each door. */
    public final S limitToOneObjectPerTurn() {
        timeBudget = () -> true;
        return self();
    }

    public final S removeTurnLimit() {
        timeBudget = TimeBudget.UNBOUNDED;
        return runTurns();
    }

    /** Whether the doors have reconciled everything. */
    protected final boolean reconcileComponents() {
        return scheduler().reconcileComponents(clock.instant(), timeBudget);
    }

    /** Schedules every pod that can be scheduled now. */
    protected final List<Effect> scheduleAll() {
        List<Effect> effects = new ArrayList<>();
        for (Optional<List<Effect>> next = scheduler().scheduleOne(clock.instant());
                next.isPresent();
                next = scheduler().scheduleOne(clock.instant())) {
            effects.addAll(next.get());
        }
        return effects;
    }

    /** One turn of the loop; then the API server answers. */
    protected final void runTurn() {
        scheduler().advance(clock.instant());
        boolean reconciled = reconcileComponents();
        List<Effect> effects = new ArrayList<>(scheduler().drainEffects());
        onReconciled(reconciled, effects);
        if (schedulesPods()) {
            effects.addAll(scheduleAll());
            effects.addAll(scheduler().drainEffects());
        }
        effects.forEach(this::dispatch);
        answer();
        checkInvariants();
    }

    /** Called in each turn with the effects of the doors. */
    protected void onReconciled(boolean everything, List<Effect> effects) {}

    protected boolean schedulesPods() {
        return true;
    }

    protected final void checkInvariants() {
        assertThat(Invariants.check(ledger().snapshot())).isEmpty();
        assertThat(Invariants.checkRebuilt(ledger().snapshot())).isEmpty();
    }

    /** Records an event or a condition. Writes and binds are in flight from here on. */
    protected void dispatch(Effect effect) {
        if (effect instanceof Effect.RecordEvent event) {
            onEvent(event);
        } else if (effect instanceof Effect.Write write) {
            writesInFlight.add(write);
        } else if (effect instanceof Effect.Bind bind) {
            bindsInFlight.add(bind);
        } else if (effect instanceof Effect.MarkUnscheduled mark) {
            unschedulableMessages.put(mark.pod().name(), mark.message());
        }
    }

    protected void onEvent(Effect.RecordEvent event) {
        recordedEvents.add(event);
        events.add(describe(event));
    }

    /** The scheduler is killed and started again. It lists the objects of the doors first, which is the least convenient. */
    public S restart() {
        replaceScheduler();
        listObjects().forEach(this::apply);
        listPods();
        listNodes();
        return runTurns();
    }

    protected final void replaceScheduler() {
        writesInFlight.clear();
        bindsInFlight.clear();
        notShown.clear();
        scheduler = Optional.of(newScheduler());
    }

    protected final void listPods() {
        pods().forEach(pod -> apply(new Fact.PodUpserted(pod)));
    }

    protected final void listNodes() {
        nodes().forEach(node -> apply(new Fact.NodeUpserted(node)));
    }

    // What the ledger says.

    public final long cpuFree(String node) {
        return ledger().node(node).orElseThrow().free().get(ResourceName.CPU);
    }
}
