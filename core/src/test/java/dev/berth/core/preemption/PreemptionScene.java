package dev.berth.core.preemption;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Labels;
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
import dev.berth.core.invariant.Invariants;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.ledger.LedgerFacts;
import dev.berth.core.nomination.NominatedNodeWriter;
import dev.berth.core.nomination.SetNominatedNode;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.filter.DeviceFilter;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.profile.Profiles;
import dev.berth.core.queue.BackoffPolicy;
import dev.berth.core.queue.SchedulingQueue;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.scheduling.Scheduler;
import dev.berth.core.scheduling.TimeBudget;
import dev.berth.core.testing.AllocatedBytes;
import dev.berth.core.testing.ManualClock;
import dev.berth.core.testing.NodeBuilder;
import dev.berth.core.testing.PodBuilder;
import dev.berth.core.volumebinding.prebind.VolumeBinding;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** A cluster with preemption. Its API server carries out marks and deletions, and shows them to Berth. */
final class PreemptionScene {
    final ManualClock clock = new ManualClock();
    final List<String> events = new ArrayList<>();
    /** The latest message of each unschedulable pod, by name. */
    final Map<String, String> conditions = new TreeMap<>();
    /** All writes as texts. */
    final List<String> writes = new ArrayList<>();
    /** What was denied, such as {@code Delete low}. */
    final List<String> refused = new ArrayList<>();

    private final Map<PodUid, Pod> pods = new TreeMap<>();
    private final List<Fact> cluster = new ArrayList<>();
    private final List<Effect.Write> unanswered = new ArrayList<>();
    private final Set<String> denied = new HashSet<>();
    private final Set<String> conflictOnce = new HashSet<>();
    private final Set<String> dropOnce = new HashSet<>();
    private final Set<String> conflictAlways = new HashSet<>();
    NominatedNodeWriter nominatedNodes = new NominatedNodeWriter();
    DefaultPreemption preemption = new DefaultPreemption(Set.of("default-scheduler"), nominatedNodes);
    private Scheduler scheduler = scheduler();
    private boolean listed;
    private boolean unresponsive;
    private int restarts;
    /** Whether deleted pods take their time. */
    private boolean graceful = true;
    /** Whether the doors have time for one object of each kind in a turn. */
    private boolean shortTurns;
    /** How many victims were marked or deleted in one turn at most. */
    int mostEvictionsInATurn;

    private Scheduler scheduler() {
        Ledger ledger = new Ledger();
        Profiles profiles = Profiles.forSchedulers(Set.of("default-scheduler"), Profile.DEFAULT);
        nominatedNodes = new NominatedNodeWriter();
        preemption = new DefaultPreemption(profiles, nominatedNodes);
        VolumeBinding volumes = new VolumeBinding(ledger, profiles, nominatedNodes);
        return new Scheduler(
                ledger,
                new Placer(ledger, Profiles.DEFAULT, DeviceFilter.NONE, volumes.filter()),
                new SchedulingQueue(BackoffPolicy.DEFAULT),
                Set.of("default-scheduler"),
                List.of(new GodelDoor(Duration.ofSeconds(60))),
                List.of(volumes, nominatedNodes, preemption));
    }

    PreemptionScene node(NodeBuilder node) {
        return apply(new Fact.NodeUpserted(node.build()));
    }

    /** A fact that a restarted process would read in its lists. */
    PreemptionScene apply(Fact fact) {
        cluster.add(fact);
        scheduler.apply(withUsers(fact, false), clock.instant());
        return runUntilIdle();
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
        scheduler.ledger().claimsOn(hold.id()).stream()
                .filter(Claim::confirmed)
                .map(Claim::pod)
                .filter(uid -> !late || !isProvenByRecord(uid, hold))
                .forEach(users::add);
        return new Fact.HoldUpserted(hold.toBuilder().listedUsers(users).build());
    }

    private boolean isProvenByRecord(PodUid uid, Hold hold) {
        return scheduler
                .ledger()
                .pod(uid)
                .filter(pod -> Claim.holdRecordedOn(pod).equals(Optional.of(hold.id())) && hold.admits(pod))
                .isPresent();
    }

    PreemptionScene listed() {
        listed = true;
        return runUntilIdle();
    }

    PreemptionScene pods(PodBuilder... builders) {
        for (PodBuilder builder : builders) {
            show(builder.build());
        }
        return runUntilIdle();
    }

    PreemptionScene nodeGone(String name) {
        cluster.removeIf(fact ->
                fact instanceof Fact.NodeUpserted seen && seen.node().name().equals(name));
        scheduler.apply(
                new Fact.NodeDeleted(
                        scheduler.ledger().node(name).orElseThrow().node().uid()),
                clock.instant());
        return runUntilIdle();
    }

    PreemptionScene deletePod(String name) {
        return deletePod(pod(name).uid());
    }

    private PreemptionScene deletePod(PodUid uid) {
        pods.remove(uid);
        scheduler.apply(new Fact.PodDeleted(uid), clock.instant());
        return runUntilIdle();
    }

    /** Turns are as short as they can be from now on. */
    PreemptionScene withShortTurns() {
        shortTurns = true;
        return this;
    }

    /** How many bytes the doors allocate in a turn before which nothing but the labels of this pod changed. */
    long costOfTurnAfterChangeOf(String name) {
        Pod pod = pod(name);
        show(pod.toBuilder()
                .labels(pod.labels().with("touched", clock.instant().toString()))
                .build());
        long cost = AllocatedBytes.measure(() -> scheduler.reconcileDoors(clock.instant()));
        runUntilIdle();
        return cost;
    }

    PreemptionScene withoutGracePeriod() {
        graceful = false;
        return this;
    }

    /** Denies writes of this kind; with a name, such as {@code Delete low}, only those about that pod. */
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

    /** The pod changes in a way that affects nothing. */
    PreemptionScene touch(String name) {
        Pod pod = pod(name);
        show(pod.toBuilder().labels(pod.labels().with("touched", "yes")).build());
        return runUntilIdle();
    }

    /** Another scheduler, or its author, sends the pod away. */
    PreemptionScene showEvicted(String name) {
        show(pod(name).toBuilder().preempted(true).terminating(true).build());
        return runUntilIdle();
    }

    PreemptionScene setUnresponsive(boolean value) {
        unresponsive = value;
        return runUntilIdle();
    }

    PreemptionScene pass(Duration time) {
        clock.advance(time);
        return runUntilIdle();
    }

    /**
     * Kills and restarts Berth: writes in flight and everything in memory are lost. Every second time the users of
     * holds were not written yet.
     */
    PreemptionScene restart() {
        unanswered.clear();
        restarts++;
        boolean late = restarts % 2 == 1;
        List<Fact> shown = cluster.stream().map(fact -> withUsers(fact, late)).toList();
        scheduler = scheduler();
        listed = false;
        pods.values().forEach(pod -> scheduler.apply(new Fact.PodUpserted(pod), clock.instant()));
        shown.forEach(fact -> scheduler.apply(fact, clock.instant()));
        return listed();
    }

    private void show(Pod pod) {
        pods.put(pod.uid(), pod);
        scheduler.apply(new Fact.PodUpserted(pod), clock.instant());
    }

    PreemptionScene runUntilIdle() {
        for (int i = 0; listed && i < (shortTurns ? 40 : 10); i++) {
            scheduler.advance(clock.instant());
            scheduler.reconcileDoors(clock.instant(), shortTurns ? () -> true : TimeBudget.UNBOUNDED);
            List<Effect> effects = new ArrayList<>(scheduler.drainEffects());
            int evictions = (int) effects.stream()
                    .filter(effect ->
                            effect instanceof PreemptionWrite.Mark || effect instanceof PreemptionWrite.Delete)
                    .count();
            mostEvictionsInATurn = Math.max(mostEvictionsInATurn, evictions);
            for (Optional<List<Effect>> next = scheduler.scheduleOne(clock.instant());
                    next.isPresent();
                    next = scheduler.scheduleOne(clock.instant())) {
                effects.addAll(next.get());
            }
            effects.addAll(scheduler.drainEffects());
            effects.forEach(this::perform);
            answer();
            assertThat(Invariants.check(scheduler.ledger().snapshot())).isEmpty();
            assertThat(Invariants.checkRebuilt(scheduler.ledger().snapshot())).isEmpty();
        }
        return this;
    }

    private void perform(Effect effect) {
        if (effect instanceof Effect.RecordEvent announcement) {
            events.add("%s %s: %s"
                    .formatted(announcement.target(), announcement.kind().reason(), announcement.note()));
        } else if (effect instanceof Effect.Write write) {
            unanswered.add(write);
        } else if (effect instanceof Effect.MarkUnscheduled mark) {
            conditions.put(mark.pod().name(), mark.message());
        } else if (effect instanceof Effect.Bind bind) {
            bind(bind);
        }
    }

    private void bind(Effect.Bind bind) {
        Pod pod = Optional.ofNullable(pods.get(bind.pod().uid())).orElseThrow();
        Map<String, String> annotations = new TreeMap<>(pod.annotations().toMap());
        annotations.putAll(bind.annotations());
        show(pod.toBuilder()
                .nodeName(Optional.of(bind.node()))
                .nominatedNodeName(Optional.empty())
                .annotations(Labels.of(annotations))
                .build());
    }

    private void answer() {
        List<Effect.Write> now = unresponsive ? List.of() : List.copyOf(unanswered);
        unanswered.removeAll(now);
        now.forEach(write -> scheduler.onWriteResult(write, write(write), clock.instant()));
    }

    private WriteResult write(Effect.Write write) {
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
                deletePod(delete.victim().uid());
            }
            return writeResult;
        }
        return WriteResult.WRITTEN;
    }

    private WriteResult change(PodRef ref, String words, UnaryOperator<Pod.Builder> how) {
        Pod pod = pods.get(ref.uid());
        if (pod == null) {
            return new WriteResult(WriteResult.ResultKind.NOT_FOUND, "no such pod");
        }
        writes.add(words);
        show(how.apply(pod.toBuilder()).build());
        return WriteResult.WRITTEN;
    }

    Pod pod(String name) {
        return pods.values().stream()
                .filter(pod -> pod.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    boolean has(String name) {
        return pods.values().stream().anyMatch(pod -> pod.name().equals(name));
    }

    String nodeOf(String pod) {
        return pod(pod).nodeName().orElse("");
    }

    boolean hasNominationHold(String pod) {
        return scheduler.ledger().hold(new HoldId("preemption/" + pod)).isPresent();
    }

    long cpuFree(String node) {
        return scheduler.ledger().node(node).orElseThrow().free().get(ResourceName.CPU);
    }

    /** What the hold keeps beside its claims, its backers and the holds that draw on it. */
    long cpuHeld(String hold) {
        return scheduler
                .ledger()
                .holdState(new HoldId(hold))
                .orElseThrow()
                .outstanding()
                .get(ResourceName.CPU);
    }

    Optional<Hold> hold(HoldId id) {
        return scheduler.ledger().hold(id);
    }

    List<Pod> pods() {
        return List.copyOf(pods.values());
    }

    LedgerFacts facts() {
        return scheduler.ledger().facts();
    }

    /** Its kubelet or its author changes it. */
    PreemptionScene change(String name, UnaryOperator<Pod.Builder> how) {
        show(how.apply(pod(name).toBuilder()).build());
        return runUntilIdle();
    }

    PreemptionScene holdGone(HoldId id) {
        cluster.removeIf(fact ->
                fact instanceof Fact.HoldUpserted seen && seen.hold().id().equals(id));
        scheduler.apply(new Fact.HoldDeleted(id), clock.instant());
        return runUntilIdle();
    }
}
