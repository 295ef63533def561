package dev.berth.core.door.preemption;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.decision.Decider;
import dev.berth.core.decision.Effect;
import dev.berth.core.decision.Effect.PodRef;
import dev.berth.core.decision.Fact;
import dev.berth.core.decision.Outcome;
import dev.berth.core.decision.Pace;
import dev.berth.core.door.comeback.ComebackDoor;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.invariant.Invariants;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.ledger.LedgerFacts;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.filter.Devices;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.profile.Profiles;
import dev.berth.core.queue.BackOff;
import dev.berth.core.queue.SchedulingQueue;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.testing.Allocation;
import dev.berth.core.testing.ManualClock;
import dev.berth.core.testing.NodeBuilder;
import dev.berth.core.testing.PodBuilder;
import dev.berth.core.volume.binding.VolumeDoor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** A cluster in which pods of more priority may send others away; its API server marks, deletes and tells. */
final class Scene {
    final ManualClock clock = new ManualClock();
    final List<String> events = new ArrayList<>();
    /** What pods that have no place are told, by their names: the latest word. */
    final Map<String, String> told = new TreeMap<>();
    /** Everything that was written, in words. */
    final List<String> writes = new ArrayList<>();
    /** What was denied, such as {@code Delete low}. */
    final List<String> refused = new ArrayList<>();

    private final Map<PodUid, Pod> pods = new TreeMap<>();
    private final List<Fact> cluster = new ArrayList<>();
    private final List<Effect.Write> unanswered = new ArrayList<>();
    private final Set<String> denied = new HashSet<>();
    private final Set<String> confused = new HashSet<>();
    private final Set<String> swallowed = new HashSet<>();
    private final Set<String> contradicted = new HashSet<>();
    PreemptionDoor preemption = new PreemptionDoor(Set.of("default-scheduler"));
    private Decider decider = decider();
    private boolean listed;
    private boolean silent;
    private int restarts;
    /** Whether deleted pods take their time. */
    private boolean graceful = true;
    /** Whether the doors have time for one object of each kind in a turn. */
    private boolean hurried;
    /** How many victims were marked or deleted in one turn at most. */
    int mostEvictionsInATurn;

    private Decider decider() {
        Ledger ledger = new Ledger();
        Profiles profiles = Profiles.same(Set.of("default-scheduler"), Profile.DEFAULT);
        preemption = new PreemptionDoor(profiles);
        VolumeDoor volumes = new VolumeDoor(ledger, profiles, preemption.nominatedNodes());
        return new Decider(
                ledger,
                new Placer(ledger, Profiles.DEFAULT, Devices.NONE, volumes.volumes()),
                new SchedulingQueue(BackOff.DEFAULT),
                Set.of("default-scheduler"),
                List.of(new ComebackDoor(Duration.ofSeconds(60)), volumes, preemption));
    }

    Scene node(NodeBuilder node) {
        return tell(new Fact.NodeSeen(node.build()));
    }

    /** A fact that a new process would hear of in its lists. */
    Scene tell(Fact fact) {
        cluster.add(fact);
        decider.learn(withUsers(fact, false), clock.instant());
        return settle();
    }

    /**
     * The object of a hold lists the pods that use it, as its door writes them.
     *
     * @param late whether the pods are missing whose records alone prove their claims: their status is not written yet
     */
    private Fact withUsers(Fact fact, boolean late) {
        if (!(fact instanceof Fact.HoldSeen seen)) {
            return fact;
        }
        Hold hold = seen.hold();
        Set<PodUid> users = new HashSet<>();
        decider.ledger().claimsOf(hold.id()).stream()
                .filter(Claim::confirmed)
                .map(Claim::pod)
                .filter(uid -> !late || !isProvenByItsRecord(uid, hold))
                .forEach(users::add);
        return new Fact.HoldSeen(hold.toBuilder().listed(users).build());
    }

    private boolean isProvenByItsRecord(PodUid uid, Hold hold) {
        return decider.ledger()
                .pod(uid)
                .filter(pod -> Claim.recordedOn(pod).equals(Optional.of(hold.id())) && hold.admits(pod))
                .isPresent();
    }

    Scene listed() {
        listed = true;
        return settle();
    }

    Scene pods(PodBuilder... builders) {
        for (PodBuilder builder : builders) {
            show(builder.build());
        }
        return settle();
    }

    Scene nodeGone(String name) {
        cluster.removeIf(
                fact -> fact instanceof Fact.NodeSeen seen && seen.node().name().equals(name));
        decider.learn(
                new Fact.NodeGone(
                        decider.ledger().node(name).orElseThrow().node().uid()),
                clock.instant());
        return settle();
    }

    Scene gone(String name) {
        return gone(pod(name).uid());
    }

    private Scene gone(PodUid uid) {
        pods.remove(uid);
        decider.learn(new Fact.PodGone(uid), clock.instant());
        return settle();
    }

    /** Turns are as short as they can be from now on. */
    Scene hurried() {
        hurried = true;
        return this;
    }

    /** How many bytes the doors allocate in a turn before which nothing but the labels of this pod changed. */
    long costOfTurnAfterChangeOf(String name) {
        Pod pod = pod(name);
        show(pod.toBuilder()
                .labels(pod.labels().with("touched", clock.instant().toString()))
                .build());
        long cost = Allocation.of(() -> decider.settle(clock.instant()));
        settle();
        return cost;
    }

    Scene atOnce() {
        graceful = false;
        return this;
    }

    /** Writes of this kind are refused whoever asks; those about one pod alone by its name, such as {@code Delete low}. */
    Scene deny(String kind) {
        denied.add(kind);
        return this;
    }

    Scene allow(String kind) {
        denied.remove(kind);
        contradicted.remove(kind);
        return this;
    }

    /** Writes of this kind meet a conflict, and nothing shows with which other write, until they are allowed. */
    Scene contradict(String kind) {
        contradicted.add(kind);
        return this;
    }

    /** The next write of this kind meets a conflict. */
    Scene confuse(String kind) {
        confused.add(kind);
        return this;
    }

    /** The next write of this kind is taken, and nothing comes of it. */
    Scene swallow(String kind) {
        swallowed.add(kind);
        return this;
    }

    /** Something about the pod that nobody cares for is new. */
    Scene touch(String name) {
        Pod pod = pod(name);
        show(pod.toBuilder().labels(pod.labels().with("touched", "yes")).build());
        return settle();
    }

    /** Another scheduler, or its author, sends the pod away. */
    Scene sendAway(String name) {
        show(pod(name).toBuilder().preempted(true).terminating(true).build());
        return settle();
    }

    Scene silent(boolean value) {
        silent = value;
        return settle();
    }

    Scene pass(Duration time) {
        clock.advance(time);
        return settle();
    }

    /**
     * Killed and started anew: what was on its way is lost, and so is all that was only in memory. Every second time the
     * users of holds were not written yet.
     */
    Scene restart() {
        unanswered.clear();
        restarts++;
        boolean late = restarts % 2 == 1;
        List<Fact> shown = cluster.stream().map(fact -> withUsers(fact, late)).toList();
        decider = decider();
        listed = false;
        pods.values().forEach(pod -> decider.learn(new Fact.PodSeen(pod), clock.instant()));
        shown.forEach(fact -> decider.learn(fact, clock.instant()));
        return listed();
    }

    private void show(Pod pod) {
        pods.put(pod.uid(), pod);
        decider.learn(new Fact.PodSeen(pod), clock.instant());
    }

    Scene settle() {
        for (int i = 0; listed && i < (hurried ? 40 : 10); i++) {
            decider.advance(clock.instant());
            decider.settle(clock.instant(), hurried ? () -> true : Pace.UNBOUNDED);
            List<Effect> effects = new ArrayList<>(decider.takeEffects());
            int evictions = (int) effects.stream()
                    .filter(effect ->
                            effect instanceof PreemptionWrite.Mark || effect instanceof PreemptionWrite.Delete)
                    .count();
            mostEvictionsInATurn = Math.max(mostEvictionsInATurn, evictions);
            for (Optional<List<Effect>> next = decider.next(clock.instant());
                    next.isPresent();
                    next = decider.next(clock.instant())) {
                effects.addAll(next.get());
            }
            effects.addAll(decider.takeEffects());
            effects.forEach(this::perform);
            answer();
            assertThat(Invariants.check(decider.ledger().snapshot())).isEmpty();
            assertThat(Invariants.rebuilt(decider.ledger().snapshot())).isEmpty();
        }
        return this;
    }

    private void perform(Effect effect) {
        if (effect instanceof Effect.Announce announcement) {
            events.add("%s %s: %s"
                    .formatted(announcement.subject(), announcement.kind().reason(), announcement.note()));
        } else if (effect instanceof Effect.Write write) {
            unanswered.add(write);
        } else if (effect instanceof Effect.MarkUnscheduled mark) {
            told.put(mark.pod().name(), mark.message());
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
                .nominatedNode(Optional.empty())
                .annotations(Labels.of(annotations))
                .build());
    }

    private void answer() {
        List<Effect.Write> now = silent ? List.of() : List.copyOf(unanswered);
        unanswered.removeAll(now);
        now.forEach(write -> decider.written(write, write(write), clock.instant()));
    }

    private Outcome write(Effect.Write write) {
        if (confused.remove(write.getClass().getSimpleName())
                || contradicted.contains(write.getClass().getSimpleName())) {
            return new Outcome(Outcome.Kind.CONFLICT, "it has been modified");
        }
        if (swallowed.remove(write.getClass().getSimpleName())) {
            return Outcome.WRITTEN;
        }
        String kind = write.getClass().getSimpleName();
        String about = Evictions.victimOf(write).map(PodRef::name).orElse("");
        if (denied.contains(kind) || denied.contains(kind + " " + about)) {
            refused.add((kind + " " + about).strip());
            return new Outcome(Outcome.Kind.DENIED, "it is forbidden");
        }
        if (write instanceof PreemptionWrite.Nominate nominate) {
            String words = nominate.node().isEmpty() ? "%s nowhere" : "%s to " + nominate.node();
            return change(
                    nominate.pod(),
                    "nominate " + words.formatted(nominate.pod().name()),
                    pod -> pod.nominatedNode(
                            nominate.node().isEmpty() ? Optional.empty() : Optional.of(nominate.node())));
        } else if (write instanceof PreemptionWrite.Mark mark) {
            return change(
                    mark.victim(),
                    "mark " + mark.victim().name(),
                    pod -> pod.preempted(true).preemptedAt(Optional.of(mark.at())));
        } else if (write instanceof PreemptionWrite.Delete delete) {
            Outcome outcome = change(
                    delete.victim(),
                    "delete " + delete.victim().name(),
                    pod -> pod.terminating(true).deletionRequested(Optional.of(clock.instant())));
            if (!graceful) {
                gone(delete.victim().uid());
            }
            return outcome;
        }
        return Outcome.WRITTEN;
    }

    private Outcome change(PodRef ref, String words, UnaryOperator<Pod.Builder> how) {
        Pod pod = pods.get(ref.uid());
        if (pod == null) {
            return new Outcome(Outcome.Kind.GONE, "no such pod");
        }
        writes.add(words);
        show(how.apply(pod.toBuilder()).build());
        return Outcome.WRITTEN;
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

    boolean keepsFor(String pod) {
        return decider.ledger().hold(new HoldId("preemption/" + pod)).isPresent();
    }

    long cpuFree(String node) {
        return decider.ledger().node(node).orElseThrow().free().get(ResourceName.CPU);
    }

    /** What the hold keeps beside its claims, its backers and the holds that draw on it. */
    long cpuKept(String hold) {
        return decider.ledger()
                .holdState(new HoldId(hold))
                .orElseThrow()
                .outstanding()
                .get(ResourceName.CPU);
    }

    Optional<Hold> hold(HoldId id) {
        return decider.ledger().hold(id);
    }

    List<Pod> pods() {
        return List.copyOf(pods.values());
    }

    LedgerFacts facts() {
        return decider.ledger().facts();
    }

    /** Its kubelet or its author changes it. */
    Scene change(String name, UnaryOperator<Pod.Builder> how) {
        show(how.apply(pod(name).toBuilder()).build());
        return settle();
    }

    Scene holdGone(HoldId id) {
        cluster.removeIf(
                fact -> fact instanceof Fact.HoldSeen seen && seen.hold().id().equals(id));
        decider.learn(new Fact.HoldGone(id), clock.instant());
        return settle();
    }
}
