package dev.berth.core.door.reservation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.decision.Decider;
import dev.berth.core.decision.Effect;
import dev.berth.core.decision.Fact;
import dev.berth.core.decision.Outcome;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.HoldId;
import dev.berth.core.invariant.Invariants;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.queue.BackOff;
import dev.berth.core.queue.SchedulingQueue;
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

/**
 * A cluster with the door of reservations open: its API server keeps reservations and pods, takes writes that were
 * decided on what it has, and shows what became of them.
 */
final class Scene {
    static final String SCHEDULER = "koord-scheduler";

    /** What the API server makes of writes. */
    enum Mood {
        TAKING,
        /** It takes nothing and does not answer. */
        SILENT,
        /** It takes nothing and says so. */
        DENYING,
        /** It takes nothing and says that the object changed, which it did not. */
        CONTRADICTING,
        /** It takes nothing and says that there is no such object. */
        MISSING,
        /** It takes everything, and the watch does not show it. */
        HIDING
    }

    final ManualClock clock = new ManualClock();
    final List<String> events = new ArrayList<>();
    private final List<Effect.Announce> announced = new ArrayList<>();
    int writes;
    int attempts;
    private final Map<String, Node> nodes = new TreeMap<>();
    private final Map<String, Pod> pods = new TreeMap<>();
    private final Map<String, Reservation> reservations = new TreeMap<>();
    private final List<Effect.Write> unanswered = new ArrayList<>();
    private final List<Effect.Bind> binds = new ArrayList<>();
    /** The reservations whose latest version the watch has not shown. */
    private final Set<String> hidden = new TreeSet<>();

    private Mood mood = Mood.TAKING;
    private boolean binding;
    private final Map<String, String> recorded = new TreeMap<>();
    private int versions;
    private Set<String> names = Set.of(SCHEDULER);
    private Decider decider = decider();

    private Decider decider() {
        Ledger ledger = new Ledger();
        return new Decider(
                ledger,
                new Placer(ledger, ScoreWeights.DEFAULT),
                new SchedulingQueue(BackOff.DEFAULT),
                names,
                List.of(new ReservationDoor(ReservationSettings.of(names))));
    }

    Scene node(NodeBuilder builder) {
        Node node = builder.build();
        nodes.put(node.name(), node);
        return hear(new Fact.NodeSeen(node)).settle();
    }

    Scene nodeGone(String name) {
        Node gone = nodes.remove(name);
        assertThat(gone).as(name).isNotNull();
        return hear(new Fact.NodeGone(gone.uid())).settle();
    }

    Scene reservation(ReservationBuilder builder) {
        show(builder.build("v" + ++versions));
        return settle();
    }

    /** Somebody edits all but the status. */
    Scene edit(ReservationBuilder builder) {
        Reservation edited = builder.build("v" + ++versions);
        show(with(edited, edited.version(), status(edited.name())));
        return settle();
    }

    /** Somebody edits the specification alone; the template stays where there are no terms. */
    Scene respecify(String name, Optional<Terms> terms, String problem) {
        Reservation it = reservation(name);
        show(new Reservation(
                it.uid(),
                name,
                "v" + ++versions,
                it.created(),
                it.terminating(),
                it.schedulerName(),
                terms,
                problem,
                terms.map(Terms::template).or(it::template),
                it.unknownFields(),
                it.status()));
        return settle();
    }

    Reservation reservation(String name) {
        return Optional.ofNullable(reservations.get(name))
                .orElseThrow(() -> new AssertionError("no reservation " + name));
    }

    /** The watch hides nothing from here on, until the mood changes. */
    Scene showAll() {
        return hides() ? server(Mood.TAKING) : this;
    }

    boolean hides() {
        return mood == Mood.HIDING;
    }

    Scene deleteReservation(String name) {
        assertThat(reservations.remove(name)).as(name).isNotNull();
        return hear(new ReservationFact.Gone(name)).settle();
    }

    Scene pod(PodBuilder builder) {
        show(builder.with(pod -> pod.schedulerName(SCHEDULER)).build());
        return settle();
    }

    /** A pod of its own scheduler. */
    Scene foreignPod(PodBuilder builder) {
        show(builder.build());
        return settle();
    }

    /** The same for pods that are seen together. */
    Scene foreignPods(List<PodBuilder> builders) {
        builders.forEach(builder -> show(builder.build()));
        return settle();
    }

    /** Somebody writes an annotation of the pod; an empty value removes it. */
    Scene annotate(String pod, String key, String value) {
        Pod known = there(pod);
        Map<String, String> annotations = new TreeMap<>(known.annotations().toMap());
        annotations.remove(key);
        if (!value.isEmpty()) {
            annotations.put(key, value);
        }
        show(known.toBuilder().annotations(Labels.of(annotations)).build());
        return settle();
    }

    /** Somebody replaces all labels of the pod by this one. */
    Scene relabel(String pod, String key, String value) {
        show(there(pod).toBuilder().labels(Labels.of(key, value)).build());
        return settle();
    }

    private Pod there(String pod) {
        return Optional.ofNullable(pods.get(pod)).orElseThrow(() -> new AssertionError("no pod " + pod));
    }

    Scene delete(String pod) {
        Pod gone = pods.remove(pod);
        assertThat(gone).as(pod).isNotNull();
        return hear(new Fact.PodGone(gone.uid())).settle();
    }

    /** Binds are taken whatever becomes of writes, until the server's mood changes. */
    Scene bindsOnly() {
        binding = true;
        return this;
    }

    /** When it stops hiding, the watch shows everything as it is. */
    Scene server(Mood next) {
        boolean hid = mood == Mood.HIDING && next != Mood.HIDING;
        mood = next;
        binding = false;
        if (hid) {
            catchUp();
        }
        return settle();
    }

    Scene pass(Duration time) {
        clock.advance(time);
        return settle();
    }

    /** Killed and started anew: what was on its way is lost, and lists come in the least handy order. */
    Scene restart() {
        unanswered.clear();
        binds.clear();
        hidden.clear();
        decider = decider();
        reservations.values().forEach(it -> hear(new ReservationFact.Seen(it)));
        pods.values().forEach(pod -> hear(new Fact.PodSeen(pod)));
        nodes.values().forEach(node -> hear(new Fact.NodeSeen(node)));
        return settle();
    }

    /** Restarted with other schedulers' names to serve. */
    Scene restartServing(String... served) {
        names = Set.of(served);
        return restart();
    }

    /** Another program writes its status. */
    Scene wrote(String reservation, Status status) {
        Reservation there = reservations.get(reservation);
        assertThat(there).as(reservation).isNotNull();
        show(with(there, "v" + ++versions, status));
        return settle();
    }

    /** Killed, and the node of this name is another when the next process starts. */
    Scene replaceWhileDown(NodeBuilder builder) {
        Node replaced = builder.build();
        nodes.put(replaced.name(), replaced);
        return restart();
    }

    Status status(String reservation) {
        return reservation(reservation).status();
    }

    /** Its conditions in one line: {@code Scheduled=true/Scheduled Ready=true/Available}. */
    String conditions(String reservation) {
        List<String> words = status(reservation).conditions().stream()
                .map(it -> "%s=%s/%s".formatted(it.type().word(), it.holds(), it.reason()))
                .toList();
        return String.join(" ", words);
    }

    /** The objects that an event of this reason was recorded for: {@code Reservation r}, {@code Node n1}. */
    List<String> subjectsOf(String reason) {
        return announced.stream()
                .filter(event -> event.kind().reason().equals(reason))
                .map(event -> event.subject().toString())
                .toList();
    }

    /** How many writes failed and wait for another try. */
    int retrying() {
        return decider.retrying();
    }

    int invalid() {
        return decider.invalid();
    }

    boolean serves(String schedulerName) {
        return names.contains(schedulerName);
    }

    List<Reservation> reservations() {
        return List.copyOf(reservations.values());
    }

    List<Pod> pods() {
        return List.copyOf(pods.values());
    }

    List<String> nodes() {
        return List.copyOf(nodes.keySet());
    }

    LedgerView ledger() {
        return decider.ledger();
    }

    boolean exists(String reservation) {
        return reservations.containsKey(reservation);
    }

    Optional<String> nodeOf(String pod) {
        return Optional.ofNullable(pods.get(pod)).flatMap(Pod::nodeName);
    }

    String annotation(String pod, String key) {
        return Optional.ofNullable(pods.get(pod))
                .flatMap(it -> it.annotations().get(key))
                .orElse("");
    }

    Scene settle() {
        for (int i = 0; i < 12; i++) {
            decider.advance(clock.instant());
            decider.settle(clock.instant());
            List<Effect> effects = new ArrayList<>(decider.takeEffects());
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

    private Scene hear(Fact fact) {
        decider.learn(fact, clock.instant());
        return this;
    }

    private void show(Reservation reservation) {
        reservations.put(reservation.name(), reservation);
        if (mood == Mood.HIDING) {
            hidden.add(reservation.name());
        } else {
            hear(new ReservationFact.Seen(reservation));
        }
    }

    private void catchUp() {
        hidden.stream()
                .flatMap(name -> Optional.ofNullable(reservations.get(name)).stream())
                .forEach(it -> hear(new ReservationFact.Seen(it)));
        hidden.clear();
    }

    private void show(Pod pod) {
        pods.put(pod.name(), pod);
        hear(new Fact.PodSeen(pod));
    }

    private void perform(Effect effect) {
        if (effect instanceof Effect.Announce announcement) {
            announced.add(announcement);
            events.add("%s: %s".formatted(announcement.kind().reason(), announcement.note()));
        } else if (effect instanceof Effect.Write write) {
            unanswered.add(write);
        } else if (effect instanceof Effect.Bind bind) {
            binds.add(bind);
        }
    }

    private void bind(Effect.Bind bind) {
        Pod pod = pods.get(bind.pod().name());
        if (pod == null || (!binding && mood != Mood.TAKING && mood != Mood.HIDING)) {
            decider.notBound(bind, Optional.empty(), clock.instant());
            return;
        }
        Map<String, String> annotations = new TreeMap<>(pod.annotations().toMap());
        annotations.putAll(bind.annotations());
        show(pod.on(bind.node()).toBuilder().annotations(Labels.of(annotations)).build());
        decider.bound(bind).forEach(this::perform);
        recorded.put(pod.name(), bind.annotations().getOrDefault(Claim.ANNOTATION, ""));
    }

    /** The pods that are there and that Berth bound with the hold, whatever they say by now. */
    List<String> boundWith(HoldId hold) {
        return pods.keySet().stream()
                .filter(pod -> hold.value().equals(recorded.get(pod)))
                .toList();
    }

    private void answer() {
        List<Effect.Write> now = mood == Mood.SILENT ? List.of() : List.copyOf(unanswered);
        unanswered.removeAll(now);
        List<Effect.Bind> bound = mood == Mood.SILENT ? List.of() : List.copyOf(binds);
        binds.removeAll(bound);
        bound.forEach(this::bind);
        now.forEach(write -> decider.written(write, take((ReservationWrite) write), clock.instant()));
    }

    private Outcome take(ReservationWrite write) {
        Reservation there = reservations.get(write.name());
        attempts++;
        if (mood == Mood.DENYING) {
            return new Outcome(Outcome.Kind.DENIED, "forbidden");
        }
        if (mood == Mood.CONTRADICTING) {
            return new Outcome(Outcome.Kind.CONFLICT, "changed");
        }
        if (mood == Mood.MISSING) {
            return new Outcome(Outcome.Kind.GONE, "no such reservation");
        }
        if (there == null || !there.uid().equals(write.uid())) {
            return new Outcome(Outcome.Kind.GONE, "no such reservation");
        }
        if (write instanceof ReservationWrite.Say say) {
            if (!say.version().equals(there.version())) {
                return new Outcome(Outcome.Kind.CONFLICT, "changed");
            }
            writes++;
            show(with(there, "v" + ++versions, say.status()));
        } else {
            reservations.remove(write.name());
            hidden.remove(write.name());
            hear(new ReservationFact.Gone(write.uid()));
        }
        return Outcome.WRITTEN;
    }

    private static Reservation with(Reservation it, String version, Status status) {
        return new Reservation(
                it.uid(),
                it.name(),
                version,
                it.created(),
                it.terminating(),
                it.schedulerName(),
                it.terms(),
                it.problem(),
                it.template(),
                it.unknownFields(),
                status);
    }
}
