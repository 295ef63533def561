package dev.berth.core.door.godel;

import static dev.berth.core.testing.PodBuilder.aPod;
import static dev.berth.core.testing.SchedulerBuilder.aScheduler;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodPhase;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Workload;
import dev.berth.core.effect.Effect;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.fact.Fact;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.HoldId;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import dev.berth.core.scheduling.Scheduler;
import dev.berth.core.testing.PodBuilder;
import dev.berth.core.testing.SchedulerScene;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

/** The godel door and an API server with Reservations, StatefulSets and checkpoints. */
final class GodelScene extends SchedulerScene<GodelScene> {
    static final Duration DEFAULT_TTL = Duration.ofSeconds(60);
    private static final int TURNS = 10;
    private static final int MAX_TURNS = 100;

    /** All writes as text. */
    final List<String> writes = new ArrayList<>();

    private final Map<String, GodelReservation> reservations = new TreeMap<>();
    private final Map<String, Workload> statefulSets = new TreeMap<>();
    private final FakeCheckpointServer checkpoint = new FakeCheckpointServer();
    /** Other objects that a restarted Berth lists. */
    private final List<Fact> objects = new ArrayList<>();

    private boolean synced;
    /** Whether the doors have reconciled since the sync. The scheduler places no pod before that. */
    private boolean ready;

    private int uids;

    /** A pod that requests a Reservation, with the return key {@code i}. */
    static PodBuilder requestingPod(String name) {
        return requestingPod(name, "i");
    }

    static PodBuilder requestingPod(String name, String returnKey) {
        return aPod(name)
                .asking("3 cpu")
                .annotated(GodelAnnotations.RESERVATION, "true")
                .annotated(GodelAnnotations.INDEX, returnKey);
    }

    @Override
    protected Scheduler newScheduler() {
        return aScheduler().withDoors(new GodelDoor(DEFAULT_TTL)).build();
    }

    @Override
    protected List<Fact> listObjects() {
        List<Fact> listed = new ArrayList<>();
        checkpoint.objects().forEach(it -> listed.add(new GodelFact.CheckpointUpserted(it)));
        reservations.values().forEach(it -> listed.add(new GodelFact.ReservationUpserted(it)));
        listed.addAll(objects);
        statefulSets.values().forEach(it -> listed.add(new Fact.WorkloadUpserted(it)));
        return listed;
    }

    @Override
    protected GodelScene runTurns() {
        for (int turn = 0; synced && (turn < TURNS || !ready); turn++) {
            // With one object for each turn, immediate conflicts would keep the door busy forever.
            ready |= turn == MAX_TURNS;
            runTurn();
        }
        return this;
    }

    @Override
    protected void onReconciled(boolean everything, List<Effect> effects) {
        ready |= everything;
    }

    @Override
    protected boolean schedulesPods() {
        return ready;
    }

    /** The tests of this door are about its own events, not about the event of each bind. */
    @Override
    protected void onEvent(Effect.RecordEvent event) {
        if (!event.kind().equals(Effect.RecordEvent.EventTemplate.SCHEDULED)) {
            super.onEvent(event);
        }
    }

    /** A fact that a restarted Berth would list. */
    GodelScene addObject(Fact fact) {
        objects.add(fact);
        return apply(fact);
    }

    /** The same for an object that was created while Berth was down. */
    GodelScene addObjectUnseen(Fact fact) {
        objects.add(fact);
        return this;
    }

    /** A restarted Berth does not list the hold any more. */
    GodelScene removeHoldObject(HoldId hold) {
        objects.removeIf(fact ->
                fact instanceof Fact.HoldUpserted seen && seen.hold().id().equals(hold));
        return this;
    }

    /** The users of the hold as its door lists them. */
    Set<PodUid> usersOf(HoldId hold) {
        return ledger().claimsOn(hold).stream()
                .filter(Claim::confirmed)
                .map(Claim::pod)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The StatefulSet exists, for this and the next leaders. */
    GodelScene createStatefulSet(String name, String uid) {
        createStatefulSetUnseen(name, uid);
        return apply(new Fact.WorkloadUpserted(workload(name, uid))).runTurns();
    }

    /** The StatefulSet is created or replaced while Berth is down. */
    GodelScene createStatefulSetUnseen(String name, String uid) {
        statefulSets.put(name, workload(name, uid));
        return this;
    }

    private static Workload workload(String name, String uid) {
        return new Workload(
                Workload.Kind.STATEFUL_SET, "default", name, LabelSelector.EVERYTHING, uid, Optional.empty());
    }

    GodelScene deleteStatefulSet(String name) {
        deleteStatefulSetUnseen(name);
        return apply(new Fact.WorkloadDeleted(new Workload.WorkloadKey(Workload.Kind.STATEFUL_SET, "default", name)))
                .runTurns();
    }

    GodelScene deleteStatefulSetUnseen(String name) {
        assertThat(statefulSets.remove(name)).as(name).isNotNull();
        return this;
    }

    /** The UID of the StatefulSet of this name. */
    Optional<String> findStatefulSetUid(String name) {
        return Optional.ofNullable(statefulSets.get(name)).map(Workload::uid);
    }

    GodelScene sync() {
        synced = true;
        return runTurns();
    }

    /** The pod finishes and is not deleted. */
    GodelScene finishPod(String name) {
        return changePod(name, pod -> pod.phase(PodPhase.SUCCEEDED));
    }

    /** The ledger ends the holds that expired. The door has not reconciled yet. */
    GodelScene expireHolds() {
        scheduler().advance(clock.instant());
        return this;
    }

    FakeCheckpointServer checkpoint() {
        return checkpoint;
    }

    /** Restarts Berth. The API server replays the deletions that Berth missed. */
    @Override
    public GodelScene restart() {
        return restart(new Pod[0]);
    }

    GodelScene restart(Pod... deletedMeanwhile) {
        return restart(true, deletedMeanwhile);
    }

    /** The same, but the API server replays only these deletions. */
    GodelScene restartWithoutHistory(Pod... replayed) {
        return restart(false, replayed);
    }

    private GodelScene restart(boolean complete, Pod... deletedMeanwhile) {
        replaceScheduler();
        synced = false;
        ready = false;
        for (Pod pod : deletedMeanwhile) {
            apply(new Fact.PodUpserted(pod)).apply(new Fact.PodDeleted(pod.uid()));
        }
        if (complete) {
            apply(new Fact.DeletionsReplayed());
        }
        listObjects().forEach(this::apply);
        listPods();
        listNodes();
        return sync();
    }

    @Override
    protected WriteResult write(Effect.Write write) {
        // Checkpoints are stored apart from Reservations and accept writes in every mode.
        return write instanceof CheckpointWrite ? perform(write) : super.write(write);
    }

    @Override
    protected WriteResult perform(Effect.Write write) {
        if (write instanceof CheckpointWrite part) {
            WriteResult writeResult = checkpoint.write(part);
            checkpoint.takeEchoes().forEach(this::apply);
            return writeResult;
        } else if (write instanceof GodelWrite.CreateReservation createReservation) {
            return create(createReservation);
        } else if (write instanceof GodelWrite.MarkMatched markMatched) {
            return markMatched(markMatched);
        }
        GodelWrite.DeleteReservation delete = (GodelWrite.DeleteReservation) write;
        return findReservation(delete.name())
                        .filter(it -> it.uid().equals(delete.uid()))
                        .isEmpty()
                ? new WriteResult(WriteResult.ResultKind.NOT_FOUND, "no such reservation")
                : recordWrite("delete " + delete.name(), () -> deleteReservation(delete.name()));
    }

    private WriteResult create(GodelWrite.CreateReservation createReservation) {
        if (findReservation(createReservation.name()).isPresent()) {
            return new WriteResult(WriteResult.ResultKind.CONFLICT, "already exists");
        }
        String uid = "r" + ++uids;
        GodelReservation made = ReservationEcho.of(createReservation, uid, clock.instant());
        return recordWrite(
                "create %s on %s".formatted(createReservation.name(), createReservation.nodeName()),
                () -> upsertReservation(made));
    }

    private WriteResult markMatched(GodelWrite.MarkMatched markMatched) {
        Optional<GodelReservation> there = findReservation(markMatched.name());
        if (there.isEmpty()) {
            return new WriteResult(WriteResult.ResultKind.NOT_FOUND, "no such reservation");
        }
        return recordWrite(
                "match %s with %s"
                        .formatted(markMatched.name(), markMatched.successor().name()),
                () -> upsertReservation(withPhase("Matched", there.get())));
    }

    static GodelReservation withPhase(String phase, GodelReservation it) {
        return it.toBuilder().phase(phase).build();
    }

    private WriteResult recordWrite(String description, Runnable write) {
        writes.add(description);
        write.run();
        return WriteResult.WRITTEN;
    }

    /** A Reservation of one pod slot on the first node, with required fields only. */
    GodelReservation handWrittenReservation(String name) {
        return GodelReservation.builder("default", name, "uid-" + name, clock.instant())
                .key("i")
                .nodeName("n1")
                .size(Resources.of(ResourceName.PODS, 1))
                .build();
    }

    /** A user created the Reservation. */
    GodelScene upsertReservation(GodelReservation reservation) {
        reservations.put(reservation.name(), reservation);
        show(reservation.uid(), new GodelFact.ReservationUpserted(reservation));
        return this;
    }

    /** The same, while no Berth runs. */
    GodelScene upsertReservationUnseen(GodelReservation reservation) {
        reservations.put(reservation.name(), reservation);
        return this;
    }

    GodelScene deleteReservation(String name) {
        GodelReservation gone = reservations.remove(name);
        assertThat(gone).as(name).isNotNull();
        show(gone.uid(), new GodelFact.ReservationDeleted(gone.uid()));
        return this;
    }

    Optional<GodelReservation> findReservation(String name) {
        return Optional.ofNullable(reservations.get(name));
    }

    Set<String> reservationNames() {
        return reservations.keySet();
    }

    String matchedReservationOf(String pod) {
        return pod(pod).annotations().get(GodelAnnotations.MATCHED_PLACEHOLDER).orElse("");
    }

    Set<PodUid> pendingDurability() {
        return scheduler().podsPendingDurability();
    }

    /** Whether the ledger has the hold of the original pod. */
    boolean hasHoldOf(PodUid pod) {
        AtomicBoolean kept = new AtomicBoolean();
        ledger().snapshot().forEachHold(state -> {
            HoldId id = state.hold().id();
            boolean byHand = ReturnHoldId.parse(id)
                    .filter(place -> TenantReservations.isTenantReservation(place.name()))
                    .isPresent();
            if (id.value().endsWith("/" + pod.value()) && !byHand) {
                kept.set(true);
            }
        });
        return kept.get();
    }

    long cpuHeld(String node) {
        return ledger().node(node).orElseThrow().outstanding().get(ResourceName.CPU);
    }
}
