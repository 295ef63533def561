package dev.berth.core.door.comeback;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Phase;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Workload;
import dev.berth.core.decision.Decider;
import dev.berth.core.decision.Effect;
import dev.berth.core.decision.Fact;
import dev.berth.core.decision.Outcome;
import dev.berth.core.decision.Pace;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.HoldId;
import dev.berth.core.invariant.Invariants;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.queue.BackOff;
import dev.berth.core.queue.SchedulingQueue;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
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
 * A cluster with the door of return open: pods come, are bound by whoever decides, and go; reservations are written and
 * echoed as an API server does it.
 */
final class Scene {
    static final Duration USUAL = Duration.ofSeconds(60);
    private static final int MOST_TURNS = 100;

    /** What the API server makes of writes that it answers. */
    enum Mood {
        TAKING,
        DENYING,
        /** It takes nothing and says that there is a conflict. */
        CONTRADICTING,
        /** It takes nothing and says that there is no such object. */
        MISSING,
        /** It takes everything, and the watch does not show it. */
        HIDING
    }

    final ManualClock clock = new ManualClock();
    final List<String> events = new ArrayList<>();
    /** Everything that was written, in words. */
    final List<String> writes = new ArrayList<>();

    private final Map<String, Pod> pods = new TreeMap<>();
    private final Map<String, Placeholder> reservations = new TreeMap<>();
    private final Map<String, Workload> sets = new TreeMap<>();
    private final CheckpointServer checkpoint = new CheckpointServer();
    private final List<Effect.Write> unanswered = new ArrayList<>();
    private final List<Fact> cluster = new ArrayList<>();
    private Decider decider = decider();
    private boolean listed;
    /** The doors have settled once since everything was listed: before that no pod is decided on. */
    private boolean ready;

    private boolean silent;
    private Mood mood = Mood.TAKING;
    private Pace pace = Pace.UNBOUNDED;
    /** Reservations that are gone, which the watch has not shown. */
    private final List<String> goneUnseen = new ArrayList<>();

    private int uids;

    private static Decider decider() {
        Ledger ledger = new Ledger();
        return new Decider(
                ledger,
                new Placer(ledger, ScoreWeights.DEFAULT),
                new SchedulingQueue(BackOff.DEFAULT),
                Set.of("default-scheduler"),
                List.of(new ComebackDoor(USUAL)));
    }

    Scene node(NodeBuilder node) {
        return tell(new Fact.NodeSeen(node.build()));
    }

    /** A fact that a new process would hear of in its lists. */
    Scene tell(Fact fact) {
        cluster.add(fact);
        return hear(fact);
    }

    /** The same, of something that came while no Berth runs. */
    Scene exists(Fact fact) {
        cluster.add(fact);
        return this;
    }

    /** A new process hears of no such hold any more. */
    Scene untell(HoldId hold) {
        cluster.removeIf(
                fact -> fact instanceof Fact.HoldSeen seen && seen.hold().id().equals(hold));
        return this;
    }

    /** The pods that use the hold, as its door lists them. */
    Set<PodUid> usersOf(HoldId hold) {
        return decider.ledger().claimsOf(hold).stream()
                .filter(Claim::confirmed)
                .map(Claim::pod)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** From now on each turn has time for one object of each door. */
    Scene hurried() {
        pace = () -> true;
        return this;
    }

    /** The StatefulSet is there, as this process and the next ones hear. */
    Scene set(String name, String uid) {
        setUnseen(name, uid);
        return hear(new Fact.WorkloadSeen(workload(name, uid))).settle();
    }

    /** The StatefulSet is created, or replaced, while no Berth runs. */
    Scene setUnseen(String name, String uid) {
        sets.put(name, workload(name, uid));
        return this;
    }

    private static Workload workload(String name, String uid) {
        return new Workload(
                Workload.Kind.STATEFUL_SET, "default", name, LabelSelector.EVERYTHING, uid, Optional.empty());
    }

    Scene deleteSet(String name) {
        deleteSetUnseen(name);
        return hear(new Fact.WorkloadGone(new Workload.Key(Workload.Kind.STATEFUL_SET, "default", name)))
                .settle();
    }

    Scene deleteSetUnseen(String name) {
        assertThat(sets.remove(name)).as(name).isNotNull();
        return this;
    }

    /** The UID of the StatefulSet of this name. */
    Optional<String> setUid(String name) {
        return Optional.ofNullable(sets.get(name)).map(Workload::uid);
    }

    Scene hear(Fact fact) {
        decider.learn(fact, clock.instant());
        return this;
    }

    Scene listed() {
        listed = true;
        return settle();
    }

    Scene pod(PodBuilder builder) {
        return show(builder.build());
    }

    private Scene show(Pod pod) {
        pods.put(pod.name(), pod);
        hear(new Fact.PodSeen(pod));
        return settle();
    }

    Scene delete(String pod) {
        Pod gone = pods.remove(pod);
        assertThat(gone).as(pod).isNotNull();
        hear(new Fact.PodGone(gone.uid()));
        return settle();
    }

    /** The pod ends, and nobody deletes it. */
    Scene endByItself(String name) {
        return show(podNamed(name).toBuilder().phase(Phase.SUCCEEDED).build());
    }

    /** The API server takes writes and says nothing, until it speaks again. */
    Scene silent(boolean value) {
        silent = value;
        return settle();
    }

    boolean isSilent() {
        return silent;
    }

    /** When it stops hiding, the watch shows everything as it is. */
    Scene server(Mood next) {
        boolean hid = mood == Mood.HIDING && next != Mood.HIDING;
        mood = next;
        if (hid) {
            goneUnseen.forEach(uid -> hear(new ComebackFact.PlaceholderGone(uid)));
            goneUnseen.clear();
            reservations.values().forEach(it -> hear(new ComebackFact.PlaceholderSeen(it)));
        }
        return settle();
    }

    Scene pass(Duration time) {
        clock.advance(time);
        return settle();
    }

    /** The ledger ends what is over now, and the door has not settled yet. */
    Scene advance() {
        decider.advance(clock.instant());
        return this;
    }

    /** Of the writes on their way, those of the given parity reach the server, and nobody hears of it. */
    Scene loseAnswers(int parity) {
        for (int i = 0; i < unanswered.size(); i++) {
            if (i % 2 == parity) {
                write(unanswered.get(i));
            }
        }
        unanswered.clear();
        return this;
    }

    /** A pod is deleted while no Berth runs. */
    Scene deleteUnseen(String pod) {
        assertThat(pods.remove(pod)).as(pod).isNotNull();
        return this;
    }

    /** A pod is created, and maybe bound, while no Berth runs. */
    Scene createUnseen(PodBuilder builder) {
        Pod pod = builder.build();
        pods.put(pod.name(), pod);
        return this;
    }

    CheckpointServer checkpoint() {
        return checkpoint;
    }

    /** Killed and started anew: what was on its way is lost, and so is all that was only in memory. */
    Scene restart(Pod... deletedMeanwhile) {
        return restart(true, deletedMeanwhile);
    }

    /** The same, but the API server has forgotten all deletions but these. */
    Scene restartWithoutHistory(Pod... told) {
        return restart(false, told);
    }

    private Scene restart(boolean complete, Pod... deletedMeanwhile) {
        unanswered.clear();
        goneUnseen.clear();
        decider = decider();
        listed = false;
        ready = false;
        for (Pod pod : deletedMeanwhile) {
            hear(new Fact.PodSeen(pod)).hear(new Fact.PodGone(pod.uid()));
        }
        if (complete) {
            hear(new Fact.DeletionsReplayed());
        }
        checkpoint.objects().forEach(it -> hear(new ComebackFact.CheckpointSeen(it)));
        pods.values().forEach(pod -> hear(new Fact.PodSeen(pod)));
        reservations.values().forEach(it -> hear(new ComebackFact.PlaceholderSeen(it)));
        cluster.forEach(this::hear);
        sets.values().forEach(set -> hear(new Fact.WorkloadSeen(set)));
        return listed();
    }

    Scene settle() {
        for (int i = 0; listed && (i < 10 || !ready); i++) {
            decider.advance(clock.instant());
            // A server that contradicts at once keeps a door busy for ever that has time for one object in each turn.
            ready |= decider.settle(clock.instant(), pace) || i == MOST_TURNS;
            List<Effect> effects = new ArrayList<>(decider.takeEffects());
            if (ready) {
                decide(effects);
            }
            effects.addAll(decider.takeEffects());
            effects.forEach(this::perform);
            answer();
            check();
        }
        return this;
    }

    private void decide(List<Effect> effects) {
        for (Optional<List<Effect>> next = decider.next(clock.instant());
                next.isPresent();
                next = decider.next(clock.instant())) {
            effects.addAll(next.get());
        }
    }

    private void check() {
        assertThat(Invariants.check(decider.ledger().snapshot())).isEmpty();
        assertThat(Invariants.rebuilt(decider.ledger().snapshot())).isEmpty();
    }

    private void perform(Effect effect) {
        if (effect instanceof Effect.Announce announcement) {
            events.add("%s: %s".formatted(announcement.subject(), announcement.note()));
        } else if (effect instanceof Effect.Write write) {
            unanswered.add(write);
        } else if (effect instanceof Effect.Bind bind) {
            Pod bound = bound(bind);
            pods.put(bound.name(), bound);
            hear(new Fact.PodSeen(bound));
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
        List<Effect.Write> now = silent ? List.of() : List.copyOf(unanswered);
        unanswered.removeAll(now);
        now.forEach(write -> decider.written(write, write(write), clock.instant()));
    }

    private Outcome write(Effect.Write write) {
        if (write instanceof CheckpointWrite part) {
            Outcome outcome = checkpoint.write(part);
            checkpoint.takeEchoes().forEach(this::hear);
            return outcome;
        }
        switch (mood) {
            case DENYING -> {
                return new Outcome(Outcome.Kind.DENIED, "forbidden");
            }
            case CONTRADICTING -> {
                return new Outcome(Outcome.Kind.CONFLICT, "conflict");
            }
            case MISSING -> {
                return new Outcome(Outcome.Kind.GONE, "not found");
            }
            case TAKING, HIDING -> {}
        }
        if (write instanceof ComebackWrite.Create create) {
            return create(create);
        } else if (write instanceof ComebackWrite.Match match) {
            return mark(match);
        }
        ComebackWrite.Delete delete = (ComebackWrite.Delete) write;
        return reservation(delete.name())
                        .filter(it -> it.uid().equals(delete.uid()))
                        .isEmpty()
                ? new Outcome(Outcome.Kind.GONE, "no such reservation")
                : said("delete " + delete.name(), () -> deleteReservation(delete.name()));
    }

    private Outcome create(ComebackWrite.Create create) {
        if (reservation(create.name()).isPresent()) {
            return new Outcome(Outcome.Kind.CONFLICT, "already exists");
        }
        String uid = "r" + ++uids;
        Placeholder made = CreatedReservation.of(create, uid, clock.instant());
        return said("create %s on %s".formatted(create.name(), create.node()), () -> reservation(made));
    }

    private Outcome mark(ComebackWrite.Match match) {
        Optional<Placeholder> there = reservation(match.name());
        if (there.isEmpty()) {
            return new Outcome(Outcome.Kind.GONE, "no such reservation");
        }
        return said(
                "match %s with %s".formatted(match.name(), match.taker().name()),
                () -> reservation(in("Matched", there.get())));
    }

    static Placeholder in(String phase, Placeholder it) {
        return it.toBuilder().phase(phase).build();
    }

    private Outcome said(String words, Runnable write) {
        writes.add(words);
        write.run();
        return Outcome.WRITTEN;
    }

    /** A reservation of a pod slot on the first node, with no more said than must be. */
    Placeholder byHand(String name) {
        return Placeholder.builder("default", name, "uid-" + name, clock.instant())
                .key("i")
                .node("n1")
                .size(Resources.of(ResourceName.PODS, 1))
                .build();
    }

    /** There is such a reservation now, as somebody wrote it. */
    Scene reservation(Placeholder placeholder) {
        reservations.put(placeholder.name(), placeholder);
        return mood == Mood.HIDING ? this : hear(new ComebackFact.PlaceholderSeen(placeholder));
    }

    /** The same, while no Berth runs. */
    Scene reservationUnseen(Placeholder placeholder) {
        reservations.put(placeholder.name(), placeholder);
        return this;
    }

    Scene deleteReservation(String name) {
        Placeholder gone = reservations.remove(name);
        assertThat(gone).as(name).isNotNull();
        if (mood == Mood.HIDING) {
            goneUnseen.add(gone.uid());
            return this;
        }
        return hear(new ComebackFact.PlaceholderGone(gone.uid()));
    }

    Optional<Placeholder> reservation(String name) {
        return Optional.ofNullable(reservations.get(name));
    }

    Set<String> reservations() {
        return reservations.keySet();
    }

    Pod podNamed(String name) {
        return Optional.ofNullable(pods.get(name)).orElseThrow();
    }

    String nodeOf(String pod) {
        return podNamed(pod).nodeName().orElse("");
    }

    String matchOf(String pod) {
        return podNamed(pod).annotations().get(Words.MATCHED).orElse("");
    }

    Set<PodUid> owed() {
        return decider.owed();
    }

    List<Pod> pods() {
        return List.copyOf(pods.values());
    }

    /** Whether the ledger keeps the place that the pod left. */
    boolean keepsPlaceOf(PodUid pod) {
        AtomicBoolean kept = new AtomicBoolean();
        decider.ledger().snapshot().forEachHold(state -> {
            HoldId id = state.hold().id();
            boolean byHand = PlaceId.parse(id)
                    .filter(place -> HandWritten.isOne(place.name()))
                    .isPresent();
            if (id.value().endsWith("/" + pod.value()) && !byHand) {
                kept.set(true);
            }
        });
        return kept.get();
    }

    long cpuFree(String node) {
        return decider.ledger().node(node).orElseThrow().free().get(ResourceName.CPU);
    }

    long cpuKept(String node) {
        return decider.ledger().node(node).orElseThrow().outstanding().get(ResourceName.CPU);
    }
}
