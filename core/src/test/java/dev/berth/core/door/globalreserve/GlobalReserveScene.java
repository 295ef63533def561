package dev.berth.core.door.globalreserve;

import static dev.berth.core.testing.SchedulerBuilder.aScheduler;

import dev.berth.core.cluster.Pod;
import dev.berth.core.door.globalreserve.ReserveRequest.PodAssignment;
import dev.berth.core.effect.Effect;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.fact.Fact;
import dev.berth.core.hold.Origin;
import dev.berth.core.resource.Resources;
import dev.berth.core.scheduling.Scheduler;
import dev.berth.core.testing.SchedulerScene;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The globalreserve door and an API server with StoredHold objects. A write is performed at {@link #completeWrites} and shown at
 * {@link #deliverWatchEvents}.
 */
final class GlobalReserveScene extends SchedulerScene<GlobalReserveScene> {
    static final String BATCH = "batch";
    /** The API server knows no later time. */
    static final Instant LATEST_TIME = Instant.parse("9999-12-31T23:59:59.999Z");

    final Map<String, StoredHoldFact.Upserted> objects = new TreeMap<>();
    final List<String> logged = new ArrayList<>();
    /** Objects that a user edited into malformed ones. */
    private final Map<String, StoredHoldFact.Malformed> malformed = new TreeMap<>();

    private final Deque<StoredHoldWrite> pendingWrites = new ArrayDeque<>();
    private final Deque<Fact> pendingWatchEvents = new ArrayDeque<>();
    private final GlobalReserveSettings settings;
    private int created;
    private Optional<WriteResult> rejection = Optional.empty();
    private int turns = 1;

    GlobalReserveScene() {
        this(GlobalReserveSettings.DEFAULT);
    }

    GlobalReserveScene(GlobalReserveSettings settings) {
        this.settings = settings;
    }

    @Override
    protected Scheduler newScheduler() {
        return aScheduler()
                .serving("berth-scheduler")
                .withDoors(new GlobalReserveDoor(settings, logged::add))
                .build();
    }

    @Override
    protected List<Fact> listObjects() {
        return objects.values().stream()
                .map(object ->
                        Optional.<Fact>ofNullable(malformed.get(object.name())).orElse(object))
                .toList();
    }

    /** What a caller of the door has heard so far. */
    static final class Call {
        private final List<ReserveResponse> responses = new ArrayList<>();

        Optional<ReserveResponse> response() {
            return responses.stream().findFirst();
        }
    }

    static PodAssignment assignment(Pod pod, String node) {
        return new PodAssignment(pod, node);
    }

    static ReserveRequest group(PodAssignment... podAssignments) {
        return groupBy(BATCH, podAssignments);
    }

    static ReserveRequest groupBy(String scheduler, PodAssignment... podAssignments) {
        return new ReserveRequest(scheduler, List.of(podAssignments));
    }

    /** Decides, and lets nothing out. */
    Call submitReserve(ReserveRequest request) {
        Call call = new Call();
        scheduler().callDoor(Origin.DoorId.GLOBALRESERVE, clock.instant(), (door, handle) -> {
            ((GlobalReserveDoor) door).reserve(request, handle, call.responses::add);
            return true;
        });
        runTurns();
        return call;
    }

    /** Decides for somebody who will not wait for the answer. */
    void submitReserveAndDisconnect(ReserveRequest request) {
        scheduler().callDoor(Origin.DoorId.GLOBALRESERVE, clock.instant(), (door, handle) -> {
            ((GlobalReserveDoor) door).reserve(request, handle, answer -> false);
            return true;
        });
        runTurns();
    }

    ReserveResponse reserve(PodAssignment... podAssignments) {
        return reserve(group(podAssignments));
    }

    ReserveResponse reserve(ReserveRequest request) {
        Call call = submitReserve(request);
        completeWrites();
        deliverWatchEvents();
        return call.response().orElseThrow();
    }

    ReserveResponse unreserve(PodAssignment... podAssignments) {
        return unreserve(group(podAssignments));
    }

    ReserveResponse unreserve(ReserveRequest request) {
        ReserveResponse answer = submitUnreserve(request);
        completeAll();
        return answer;
    }

    /** Decides, and lets nothing out. */
    ReserveResponse submitUnreserve(PodAssignment... podAssignments) {
        return submitUnreserve(group(podAssignments));
    }

    private ReserveResponse submitUnreserve(ReserveRequest request) {
        ReserveResponse answer = scheduler()
                .callDoor(
                        Origin.DoorId.GLOBALRESERVE,
                        clock.instant(),
                        (door, handle) -> ((GlobalReserveDoor) door).unreserve(request, handle));
        runTurns();
        return answer;
    }

    /** Berth's own scheduler decides on its next pod. */
    List<Effect> schedule() {
        return scheduler().scheduleOne(clock.instant()).orElse(List.of());
    }

    void deliver(Fact fact) {
        apply(fact).runTurns();
    }

    /** Somebody edits the object into something that Berth cannot read; the next process reads the same. */
    void editMalformed(String name, String problem) {
        StoredHoldFact.Upserted there = Optional.ofNullable(objects.get(name)).orElseThrow();
        StoredHoldFact.Malformed edited = new StoredHoldFact.Malformed(name, there.uid(), problem);
        malformed.put(name, edited);
        deliver(edited);
    }

    /** Time has passed. */
    void runAfterTimePassed() {
        runDueTimers();
        completeAll();
    }

    /** Time has passed, and nothing is let out. */
    void runDueTimers() {
        scheduler().advance(clock.instant());
        runTurns();
    }

    Optional<Instant> nextWake() {
        return scheduler().nextWake();
    }

    void completeAll() {
        runTurns();
        completeWrites();
        deliverWatchEvents();
    }

    /** A new process reads what the API server has: StoredHold objects first, or last. */
    void restart(boolean holdsFirst) {
        replaceScheduler();
        pendingWrites.clear();
        pendingWatchEvents.clear();
        if (holdsFirst) {
            listObjects().forEach(this::apply);
        }
        listPods();
        listNodes();
        if (!holdsFirst) {
            listObjects().forEach(this::apply);
        }
        runAfterTimePassed();
    }

    /** The API server takes what is on its way. */
    void completeWrites() {
        for (StoredHoldWrite write = pendingWrites.poll(); write != null; write = pendingWrites.poll()) {
            answerWrite(write, perform(write));
        }
    }

    /** The API server takes the next write. */
    void completeNextWrite() {
        StoredHoldWrite write = pendingWrites.remove();
        answerWrite(write, perform(write));
    }

    /** From now on each write is answered so and nothing is kept, until {@link #acceptWrites}; conflicts spare creations. */
    void rejectWrites(WriteResult.ResultKind kind) {
        rejection = Optional.of(new WriteResult(kind, "not today"));
    }

    /** Writes are taken again. */
    void acceptWrites() {
        rejection = Optional.empty();
    }

    boolean rejectsWrites() {
        return rejection.isPresent();
    }

    /** What is on its way, in words. */
    List<String> pendingWriteKinds() {
        return pendingWrites.stream()
                .map(write -> write.getClass().getSimpleName())
                .toList();
    }

    /** The API server answers the next write so, and keeps nothing. */
    void answerNextWrite(WriteResult.ResultKind kind, String message) {
        answerWrite(pendingWrites.remove(), new WriteResult(kind, message));
    }

    /** The next write is kept, and Berth dies before it hears of it. */
    void applyNextWriteWithoutAnswer() {
        perform(pendingWrites.remove());
    }

    /** The next write is kept, its answer is lost, and it is sent again, when this happens. */
    void applyNextWriteWithoutAnswer(Runnable then) {
        StoredHoldWrite write = pendingWrites.remove();
        perform(write);
        pendingWrites.add(write);
        then.run();
    }

    private void answerWrite(StoredHoldWrite write, WriteResult writeResult) {
        scheduler().onWriteResult(write, writeResult, clock.instant());
        runTurns();
    }

    @Override
    protected WriteResult perform(Effect.Write write) {
        return perform((StoredHoldWrite) write);
    }

    private WriteResult perform(StoredHoldWrite write) {
        boolean spared = write instanceof StoredHoldWrite.Create
                && rejection
                        .filter(it -> it.kind() == WriteResult.ResultKind.CONFLICT)
                        .isPresent();
        if (rejection.isPresent() && !spared) {
            return rejection.get();
        }
        StoredHoldFact.Upserted there = objects.get(write.name());
        if (write instanceof StoredHoldWrite.Create create) {
            if (there != null) {
                return new WriteResult(WriteResult.ResultKind.CONFLICT, "already exists");
            }
            if (create.spec().requestedAt().isAfter(LATEST_TIME)) {
                return new WriteResult(WriteResult.ResultKind.DENIED, "spec.requestedAt must be of type date-time");
            }
            publish(new StoredHoldFact.Upserted(create.name(), "uid-" + created++, create.spec()));
        } else if (there == null) {
            return new WriteResult(WriteResult.ResultKind.NOT_FOUND, "not found");
        } else if (write instanceof StoredHoldWrite.Update update) {
            publish(new StoredHoldFact.Upserted(there.name(), there.uid(), update.spec()));
        } else {
            objects.remove(there.name());
            malformed.remove(there.name());
            pendingWatchEvents.add(new StoredHoldFact.Deleted(there.uid()));
        }
        return WriteResult.WRITTEN;
    }

    private void publish(StoredHoldFact.Upserted object) {
        objects.put(object.name(), object);
        malformed.remove(object.name());
        pendingWatchEvents.add(object);
    }

    void deliverWatchEvents() {
        for (Fact fact = pendingWatchEvents.poll(); fact != null; fact = pendingWatchEvents.poll()) {
            deliver(fact);
        }
        completeWrites();
    }

    /** From now on what one turn would do takes as many turns as it has objects. */
    void runOneObjectPerTurn() {
        limitToOneObjectPerTurn();
        turns = Integer.MAX_VALUE;
    }

    /** Reconciles the door and schedules no pod. Of two writes of one object the later one is sent. */
    @Override
    protected GlobalReserveScene runTurns() {
        boolean done = false;
        for (int turn = 0; !done && turn < turns; turn++) {
            done = reconcileComponents();
        }
        scheduler().drainEffects().forEach(this::dispatch);
        return this;
    }

    @Override
    protected void dispatch(Effect effect) {
        if (effect instanceof StoredHoldWrite write) {
            pendingWrites.removeIf(older -> older.key().equals(write.key()));
            pendingWrites.add(write);
        } else {
            super.dispatch(effect);
        }
    }

    Resources free(String node) {
        return ledger().node(node).orElseThrow().free();
    }

    /** All holds, as {@code pod on node}; with {@code by scheduler} where that is not the usual one. */
    List<String> heldPlaces() {
        return ledger().facts().holds().stream()
                .map(hold -> hold.id().value().split("/", 4))
                .map(id -> id[1] + " on " + id[2] + (id[3].equals(BATCH) ? "" : " by " + id[3]))
                .toList();
    }
}
