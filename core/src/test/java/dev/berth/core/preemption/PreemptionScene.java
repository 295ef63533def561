package dev.berth.core.preemption;

import static dev.berth.core.testing.SchedulerBuilder.aScheduler;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.godel.GodelDoor;
import dev.berth.core.effect.Effect;
import dev.berth.core.effect.Effect.PodRef;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.fact.Fact;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.ledger.LedgerFacts;
import dev.berth.core.nomination.NominatedNodeWriter;
import dev.berth.core.nomination.SetNominatedNode;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.profile.Profiles;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.scheduling.Scheduler;
import dev.berth.core.testing.AllocatedBytes;
import dev.berth.core.testing.SchedulerScene;
import dev.berth.core.volumebinding.prebind.VolumeBinding;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Preemption, volume binding and the godel door, and an API server that marks and deletes victims. */
final class PreemptionScene extends SchedulerScene<PreemptionScene> {
    private static final int TURNS = 10;
    private static final int SHORT_TURNS = 40;

    /** All writes as text. */
    final List<String> writes = new ArrayList<>();
    /** The denied writes, such as {@code Delete low}. */
    final List<String> refused = new ArrayList<>();
    /** How many victims were marked or deleted in one turn at most. */
    int mostEvictionsInATurn;

    NominatedNodeWriter nominatedNodes = new NominatedNodeWriter();
    DefaultPreemption preemption = new DefaultPreemption(Set.of("default-scheduler"), nominatedNodes);

    /** Objects that a restarted Berth lists. */
    private final List<Fact> objects = new ArrayList<>();

    private final Set<String> denied = new HashSet<>();
    private final Set<String> conflictOnce = new HashSet<>();
    private final Set<String> dropOnce = new HashSet<>();
    private final Set<String> conflictAlways = new HashSet<>();
    private boolean isListed;
    private int restarts;
    /** Whether deleted pods have a grace period. */
    private boolean graceful = true;

    private int turns = TURNS;

    @Override
    protected Scheduler newScheduler() {
        Ledger ledger = new Ledger();
        Profiles profiles = Profiles.forSchedulers(Set.of("default-scheduler"), Profile.DEFAULT);
        nominatedNodes = new NominatedNodeWriter();
        preemption = new DefaultPreemption(profiles, nominatedNodes);
        VolumeBinding volumes = new VolumeBinding(ledger, profiles, nominatedNodes);
        return aScheduler(ledger)
                .withDoors(new GodelDoor(Duration.ofSeconds(60)))
                .withPlugins(volumes, nominatedNodes, preemption)
                .build();
    }

    @Override
    protected List<Fact> listObjects() {
        return objects;
    }

    /** Turns are as short as they can be from now on. */
    PreemptionScene withShortTurns() {
        turns = SHORT_TURNS;
        return limitToOneObjectPerTurn();
    }

    /** A fact that a new process would hear of in its lists. */
    PreemptionScene addObject(Fact fact) {
        objects.add(fact);
        return apply(withUsers(fact, false)).runTurns();
    }

    /**
     * The object of a hold lists the pods that use it, as its door writes them.
     *
     * @param late whether the pods are missing whose records alone prove their claims: their status is not written yet
     */
    private Fact withUsers(Fact fact, boolean late) {
        if (!(fact instanceof Fact.HoldUpserted seen)) {
            return fact;
        }
        Hold hold = seen.hold();
        Set<PodUid> users = new HashSet<>();
        ledger().claimsOn(hold.id()).stream()
                .filter(Claim::confirmed)
                .map(Claim::pod)
                .filter(uid -> !late || !isProvenByRecord(uid, hold))
                .forEach(users::add);
        return new Fact.HoldUpserted(hold.toBuilder().listedUsers(users).build());
    }

    private boolean isProvenByRecord(PodUid uid, Hold hold) {
        return ledger().pod(uid)
                .filter(pod -> Claim.holdRecordedOn(pod).equals(Optional.of(hold.id())) && hold.admits(pod))
                .isPresent();
    }

    PreemptionScene listed() {
        isListed = true;
        return runTurns();
    }

    /** How many bytes the doors allocate in a turn before which nothing but the labels of this pod changed. */
    long costOfTurnAfterChangeOf(String name) {
        Pod pod = pod(name);
        showPod(pod.toBuilder()
                .labels(pod.labels().with("touched", clock.instant().toString()))
                .build());
        long cost = AllocatedBytes.measure(() -> scheduler().reconcileComponents(clock.instant()));
        runTurns();
        return cost;
    }

    PreemptionScene withoutGracePeriod() {
        graceful = false;
        return this;
    }

    /** Writes of this kind are refused whoever asks; those about one pod alone by its name, such as {@code Delete low}. */
    PreemptionScene deny(String kind) {
        denied.add(kind);
        return this;
    }

    PreemptionScene allow(String kind) {
        denied.remove(kind);
        conflictAlways.remove(kind);
        return this;
    }

    /** Writes of this kind meet a conflict, and nothing shows with which other write, until they are allowed. */
    PreemptionScene conflictAlways(String kind) {
        conflictAlways.add(kind);
        return this;
    }

    /** The next write of this kind meets a conflict. */
    PreemptionScene conflictOnce(String kind) {
        conflictOnce.add(kind);
        return this;
    }

    /** The next write of this kind is taken, and nothing comes of it. */
    PreemptionScene dropOnce(String kind) {
        dropOnce.add(kind);
        return this;
    }

    /** Something about the pod that nobody cares for is new. */
    PreemptionScene touch(String name) {
        Pod pod = pod(name);
        showPod(pod.toBuilder().labels(pod.labels().with("touched", "yes")).build());
        return runTurns();
    }

    /** Another scheduler, or its author, sends the pod away. */
    PreemptionScene showEvicted(String name) {
        showPod(pod(name).toBuilder().preempted(true).terminating(true).build());
        return runTurns();
    }

    /** Every second time the scheduler restarts before the users of holds were written. */
    @Override
    public PreemptionScene restart() {
        restarts++;
        boolean late = restarts % 2 == 1;
        List<Fact> listed = objects.stream().map(fact -> withUsers(fact, late)).toList();
        replaceScheduler();
        isListed = false;
        listPods();
        listed.forEach(this::apply);
        listNodes();
        return listed();
    }

    @Override
    protected PreemptionScene runTurns() {
        for (int turn = 0; isListed && turn < turns; turn++) {
            runTurn();
        }
        return this;
    }

    @Override
    protected void onReconciled(boolean everything, List<Effect> effects) {
        int evictions = (int) effects.stream()
                .filter(effect -> effect instanceof PreemptionWrite.Mark || effect instanceof PreemptionWrite.Delete)
                .count();
        mostEvictionsInATurn = Math.max(mostEvictionsInATurn, evictions);
    }

    @Override
    protected String describe(Effect.RecordEvent event) {
        return "%s %s: %s".formatted(event.target(), event.kind().reason(), event.note());
    }

    /** The tests are about the events of preemption, not about the event of each bind. */
    @Override
    protected void onEvent(Effect.RecordEvent event) {
        if (!event.kind().equals(Effect.RecordEvent.EventTemplate.SCHEDULED)) {
            super.onEvent(event);
        }
    }

    @Override
    protected WriteResult perform(Effect.Write write) {
        if (conflictOnce.remove(write.getClass().getSimpleName())
                || conflictAlways.contains(write.getClass().getSimpleName())) {
            return new WriteResult(WriteResult.ResultKind.CONFLICT, "it has been modified");
        }
        if (dropOnce.remove(write.getClass().getSimpleName())) {
            return WriteResult.WRITTEN;
        }
        String kind = write.getClass().getSimpleName();
        String about =
                write instanceof PreemptionWrite eviction ? eviction.victim().name() : "";
        if (denied.contains(kind) || denied.contains(kind + " " + about)) {
            refused.add((kind + " " + about).strip());
            return new WriteResult(WriteResult.ResultKind.DENIED, "it is forbidden");
        }
        if (write instanceof SetNominatedNode nominate) {
            String words = nominate.node().isEmpty() ? "%s nowhere" : "%s to " + nominate.node();
            return change(
                    nominate.pod(),
                    "nominate " + words.formatted(nominate.pod().name()),
                    pod -> pod.nominatedNodeName(
                            nominate.node().isEmpty() ? Optional.empty() : Optional.of(nominate.node())));
        } else if (write instanceof PreemptionWrite.Mark mark) {
            return change(
                    mark.victim(),
                    "mark " + mark.victim().name(),
                    pod -> pod.preempted(true).preemptedAt(Optional.of(mark.at())));
        } else if (write instanceof PreemptionWrite.Delete delete) {
            WriteResult writeResult = change(
                    delete.victim(),
                    "delete " + delete.victim().name(),
                    pod -> pod.terminating(true).deletionRequestedAt(Optional.of(clock.instant())));
            if (!graceful) {
                findPod(delete.victim().uid()).ifPresent(this::delete);
            }
            return writeResult;
        }
        return WriteResult.WRITTEN;
    }

    private WriteResult change(PodRef ref, String words, UnaryOperator<Pod.Builder> how) {
        Optional<Pod> pod = findPod(ref.uid());
        if (pod.isEmpty()) {
            return new WriteResult(WriteResult.ResultKind.NOT_FOUND, "no such pod");
        }
        writes.add(words);
        showPod(how.apply(pod.get().toBuilder()).build());
        return WriteResult.WRITTEN;
    }

    boolean hasNominationHold(String pod) {
        return ledger().hold(new HoldId("preemption/" + pod)).isPresent();
    }

    /** What the hold keeps beside its claims, its backers and the holds that draw on it. */
    long cpuHeld(String hold) {
        return ledger().holdState(new HoldId(hold)).orElseThrow().outstanding().get(ResourceName.CPU);
    }

    Optional<Hold> hold(HoldId id) {
        return ledger().hold(id);
    }

    LedgerFacts facts() {
        return ledger().facts();
    }

    PreemptionScene holdGone(HoldId id) {
        objects.removeIf(fact ->
                fact instanceof Fact.HoldUpserted seen && seen.hold().id().equals(id));
        return apply(new Fact.HoldDeleted(id)).runTurns();
    }
}
