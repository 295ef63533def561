package dev.berth.core.door.godel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodPhase;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Workload;
import dev.berth.core.effect.Effect;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.fact.Fact;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.HoldId;
import dev.berth.core.invariant.Invariants;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.queue.BackoffPolicy;
import dev.berth.core.queue.SchedulingQueue;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import dev.berth.core.scheduling.Scheduler;
import dev.berth.core.scheduling.TimeBudget;
import dev.berth.core.testing.ManualClock;
import dev.berth.core.testing.NodeBuilder;
import dev.berth.core.testing.PodBuilder;
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

/**
 * A cluster with the Gödel door. Pods are created, bound and deleted. Reservations are created and echoed as an API
 * server does it.
 */
final class Scene {
    static final Duration DEFAULT_TTL = Duration.ofSeconds(60);
    private static final int MAX_TURNS = 100;

    /** The results of writes. */
    enum ServerBehavior {
        ACCEPTING,
        DENYING,
        /** Nothing is written, and the result is CONFLICT. */
        CONFLICTING,
        /** Nothing is written, and the result is NOT_FOUND. */
        NOT_FOUND,
        /** Everything is written, and the watch does not show it. */
        ACCEPTING_WITHOUT_ECHO
    }

    final ManualClock clock = new ManualClock();
    final List<String> events = new ArrayList<>();
    /** All writes as text. */
    final List<String> writes = new ArrayList<>();

    private final Map<String, Pod> pods = new TreeMap<>();
    private final Map<String, GodelReservation> reservations = new TreeMap<>();
    private final Map<String, Workload> statefulSets = new TreeMap<>();
    private final FakeCheckpointServer checkpoint = new FakeCheckpointServer();
    private final List<Effect.Write> inFlight = new ArrayList<>();
    private final List<Fact> objects = new ArrayList<>();
    private Scheduler scheduler = scheduler();
    private boolean synced;
    /** Whether the doors have reconciled since the sync. The scheduler places no pod before that. */
    private boolean ready;

    private boolean answersDelayed;
    private ServerBehavior serverBehavior = ServerBehavior.ACCEPTING;
    private TimeBudget timeBudget = TimeBudget.UNBOUNDED;
    /** Deleted Reservations whose deletion the watch has not shown. */
    private final List<String> unseenDeletions = new ArrayList<>();

    private int uids;

    private static Scheduler scheduler() {
        Ledger ledger = new Ledger();
        return new Scheduler(
                ledger,
                new Placer(ledger, ScoreWeights.DEFAULT),
                new SchedulingQueue(BackoffPolicy.DEFAULT),
                Set.of("default-scheduler"),
                List.of(new GodelDoor(DEFAULT_TTL)));
    }

    Scene node(NodeBuilder node) {
        return addObject(new Fact.NodeUpserted(node.build()));
    }

    /** A fact that a restarted Berth would list. */
    Scene addObject(Fact fact) {
        objects.add(fact);
        return apply(fact);
    }

    /** The same for an object that was created while Berth was down. */
    Scene addObjectUnseen(Fact fact) {
        objects.add(fact);
        return this;
    }

    /** A restarted Berth does not list the hold any more. */
    Scene removeHoldObject(HoldId hold) {
        objects.removeIf(fact ->
                fact instanceof Fact.HoldUpserted seen && seen.hold().id().equals(hold));
        return this;
    }

    /** The users of the hold as its door lists them. */
    Set<PodUid> usersOf(HoldId hold) {
        return scheduler.ledger().claimsOn(hold).stream()
                .filter(Claim::confirmed)
                .map(Claim::pod)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** From now on the time budget of each turn allows one object of each door. */
    Scene limitTurnsToOneObject() {
        timeBudget = () -> true;
        return this;
    }

    /** The StatefulSet exists, for this and the next leaders. */
    Scene createStatefulSet(String name, String uid) {
        createStatefulSetUnseen(name, uid);
        return apply(new Fact.WorkloadUpserted(workload(name, uid))).reconcile();
    }

    /** The StatefulSet is created or replaced while Berth is down. */
    Scene createStatefulSetUnseen(String name, String uid) {
        statefulSets.put(name, workload(name, uid));
        return this;
    }

    private static Workload workload(String name, String uid) {
        return new Workload(
                Workload.Kind.STATEFUL_SET, "default", name, LabelSelector.EVERYTHING, uid, Optional.empty());
    }

    Scene deleteStatefulSet(String name) {
        deleteStatefulSetUnseen(name);
        return apply(new Fact.WorkloadDeleted(new Workload.WorkloadKey(Workload.Kind.STATEFUL_SET, "default", name)))
                .reconcile();
    }

    Scene deleteStatefulSetUnseen(String name) {
        assertThat(statefulSets.remove(name)).as(name).isNotNull();
        return this;
    }

    /** The UID of the StatefulSet of this name. */
    Optional<String> findStatefulSetUid(String name) {
        return Optional.ofNullable(statefulSets.get(name)).map(Workload::uid);
    }

    Scene apply(Fact fact) {
        scheduler.apply(fact, clock.instant());
        return this;
    }

    Scene sync() {
        synced = true;
        return reconcile();
    }

    Scene upsertPod(PodBuilder builder) {
        return upsert(builder.build());
    }

    private Scene upsert(Pod pod) {
        pods.put(pod.name(), pod);
        apply(new Fact.PodUpserted(pod));
        return reconcile();
    }

    Scene deletePod(String pod) {
        Pod gone = pods.remove(pod);
        assertThat(gone).as(pod).isNotNull();
        apply(new Fact.PodDeleted(gone.uid()));
        return reconcile();
    }

    /** The pod finishes and is not deleted. */
    Scene finishPod(String name) {
        return upsert(getPod(name).toBuilder().phase(PodPhase.SUCCEEDED).build());
    }

    /** The API server accepts writes and sends no results until it is told to. */
    Scene delayAnswers(boolean value) {
        answersDelayed = value;
        return reconcile();
    }

    boolean delaysAnswers() {
        return answersDelayed;
    }

    /** When the API server stops hiding, the watch shows the present state. */
    Scene setServerBehavior(ServerBehavior next) {
        boolean wasHiding = serverBehavior == ServerBehavior.ACCEPTING_WITHOUT_ECHO
                && next != ServerBehavior.ACCEPTING_WITHOUT_ECHO;
        serverBehavior = next;
        if (wasHiding) {
            unseenDeletions.forEach(uid -> apply(new GodelFact.ReservationDeleted(uid)));
            unseenDeletions.clear();
            reservations.values().forEach(it -> apply(new GodelFact.ReservationUpserted(it)));
        }
        return reconcile();
    }

    Scene advanceClock(Duration time) {
        clock.advance(time);
        return reconcile();
    }

    /** The ledger ends the holds that expired. The door has not reconciled yet. */
    Scene expireHolds() {
        scheduler.advance(clock.instant());
        return this;
    }

    /** The writes in flight of the given parity reach the API server. Their results are lost. */
    Scene loseAnswers(int parity) {
        for (int i = 0; i < inFlight.size(); i++) {
            if (i % 2 == parity) {
                write(inFlight.get(i));
            }
        }
        inFlight.clear();
        return this;
    }

    /** A pod is deleted while Berth is down. */
    Scene deletePodUnseen(String pod) {
        assertThat(pods.remove(pod)).as(pod).isNotNull();
        return this;
    }

    /** A pod is created, and maybe bound, while Berth is down. */
    Scene createPodUnseen(PodBuilder builder) {
        Pod pod = builder.build();
        pods.put(pod.name(), pod);
        return this;
    }

    FakeCheckpointServer checkpoint() {
        return checkpoint;
    }

    /** Restarts Berth. Writes in flight and everything in memory are lost. */
    Scene restart(Pod... deletedMeanwhile) {
        return restart(true, deletedMeanwhile);
    }

    /** The same, but the API server replays only these deletions. */
    Scene restartWithoutHistory(Pod... told) {
        return restart(false, told);
    }

    private Scene restart(boolean complete, Pod... deletedMeanwhile) {
        inFlight.clear();
        unseenDeletions.clear();
        scheduler = scheduler();
        synced = false;
        ready = false;
        for (Pod pod : deletedMeanwhile) {
            apply(new Fact.PodUpserted(pod)).apply(new Fact.PodDeleted(pod.uid()));
        }
        if (complete) {
            apply(new Fact.DeletionsReplayed());
        }
        checkpoint.objects().forEach(it -> apply(new GodelFact.CheckpointUpserted(it)));
        pods.values().forEach(pod -> apply(new Fact.PodUpserted(pod)));
        reservations.values().forEach(it -> apply(new GodelFact.ReservationUpserted(it)));
        objects.forEach(this::apply);
        statefulSets.values().forEach(set -> apply(new Fact.WorkloadUpserted(set)));
        return sync();
    }

    Scene reconcile() {
        for (int i = 0; synced && (i < 10 || !ready); i++) {
            scheduler.advance(clock.instant());
            // With one object for each turn, immediate conflicts would keep the door busy forever.
            ready |= scheduler.reconcileDoors(clock.instant(), timeBudget) || i == MAX_TURNS;
            List<Effect> effects = new ArrayList<>(scheduler.drainEffects());
            if (ready) {
                decide(effects);
            }
            effects.addAll(scheduler.drainEffects());
            effects.forEach(this::perform);
            answer();
            checkInvariants();
        }
        return this;
    }

    private void decide(List<Effect> effects) {
        for (Optional<List<Effect>> next = scheduler.scheduleOne(clock.instant());
                next.isPresent();
                next = scheduler.scheduleOne(clock.instant())) {
            effects.addAll(next.get());
        }
    }

    private void checkInvariants() {
        assertThat(Invariants.check(scheduler.ledger().snapshot())).isEmpty();
        assertThat(Invariants.checkRebuilt(scheduler.ledger().snapshot())).isEmpty();
    }

    private void perform(Effect effect) {
        if (effect instanceof Effect.RecordEvent announcement) {
            events.add("%s: %s".formatted(announcement.target(), announcement.note()));
        } else if (effect instanceof Effect.Write write) {
            inFlight.add(write);
        } else if (effect instanceof Effect.Bind bind) {
            Pod bound = bound(bind);
            pods.put(bound.name(), bound);
            apply(new Fact.PodUpserted(bound));
        }
    }

    private Pod bound(Effect.Bind bind) {
        Pod pod = pods.get(bind.pod().name());
        assertThat(pod).isNotNull();
        Pod.Builder bound = pod.toBuilder().nodeName(Optional.of(bind.node()));
        Map<String, String> annotations = new TreeMap<>(pod.annotations().toMap());
        annotations.putAll(bind.annotations());
        return bound.annotations(Labels.of(annotations)).build();
    }

    private void answer() {
        List<Effect.Write> now = answersDelayed ? List.of() : List.copyOf(inFlight);
        inFlight.removeAll(now);
        now.forEach(write -> scheduler.onWriteResult(write, write(write), clock.instant()));
    }

    private WriteResult write(Effect.Write write) {
        if (write instanceof CheckpointWrite part) {
            WriteResult writeResult = checkpoint.write(part);
            checkpoint.takeEchoes().forEach(this::apply);
            return writeResult;
        }
        switch (serverBehavior) {
            case DENYING -> {
                return new WriteResult(WriteResult.ResultKind.DENIED, "forbidden");
            }
            case CONFLICTING -> {
                return new WriteResult(WriteResult.ResultKind.CONFLICT, "conflict");
            }
            case NOT_FOUND -> {
                return new WriteResult(WriteResult.ResultKind.NOT_FOUND, "not found");
            }
            case ACCEPTING, ACCEPTING_WITHOUT_ECHO -> {}
        }
        if (write instanceof GodelWrite.CreateReservation createReservation) {
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
    Scene upsertReservation(GodelReservation reservation) {
        reservations.put(reservation.name(), reservation);
        return serverBehavior == ServerBehavior.ACCEPTING_WITHOUT_ECHO
                ? this
                : apply(new GodelFact.ReservationUpserted(reservation));
    }

    /** The same, while no Berth runs. */
    Scene upsertReservationUnseen(GodelReservation reservation) {
        reservations.put(reservation.name(), reservation);
        return this;
    }

    Scene deleteReservation(String name) {
        GodelReservation gone = reservations.remove(name);
        assertThat(gone).as(name).isNotNull();
        if (serverBehavior == ServerBehavior.ACCEPTING_WITHOUT_ECHO) {
            unseenDeletions.add(gone.uid());
            return this;
        }
        return apply(new GodelFact.ReservationDeleted(gone.uid()));
    }

    Optional<GodelReservation> findReservation(String name) {
        return Optional.ofNullable(reservations.get(name));
    }

    Set<String> reservationNames() {
        return reservations.keySet();
    }

    Pod getPod(String name) {
        return Optional.ofNullable(pods.get(name)).orElseThrow();
    }

    String nodeOf(String pod) {
        return getPod(pod).nodeName().orElse("");
    }

    String matchedReservationOf(String pod) {
        return getPod(pod)
                .annotations()
                .get(GodelAnnotations.MATCHED_PLACEHOLDER)
                .orElse("");
    }

    Set<PodUid> pendingDurability() {
        return scheduler.podsPendingDurability();
    }

    List<Pod> pods() {
        return List.copyOf(pods.values());
    }

    /** Whether the ledger has the hold of the original pod. */
    boolean hasHoldOf(PodUid pod) {
        AtomicBoolean kept = new AtomicBoolean();
        scheduler.ledger().snapshot().forEachHold(state -> {
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

    long cpuFree(String node) {
        return scheduler.ledger().node(node).orElseThrow().free().get(ResourceName.CPU);
    }

    long cpuHeld(String node) {
        return scheduler.ledger().node(node).orElseThrow().outstanding().get(ResourceName.CPU);
    }
}
