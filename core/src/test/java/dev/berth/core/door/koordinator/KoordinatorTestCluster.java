package dev.berth.core.door.koordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.effect.Effect;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.fact.Fact;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.HoldId;
import dev.berth.core.invariant.Invariants;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.queue.BackoffPolicy;
import dev.berth.core.queue.SchedulingQueue;
import dev.berth.core.scheduling.Scheduler;
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
final class KoordinatorTestCluster {
    static final String SCHEDULER = "koord-scheduler";

    /** What the API server makes of writes. */
    enum ServerMode {
        ACCEPTING,
        /** It takes nothing and does not answer. */
        SILENT,
        /** It takes nothing and says so. */
        DENYING,
        /** It takes nothing and says that the object changed, which it did not. */
        CONFLICTING,
        /** It takes nothing and says that there is no such object. */
        NOT_FOUND,
        /** It takes everything, and the watch does not show it. */
        WATCH_STALLED
    }

    final ManualClock clock = new ManualClock();
    final List<String> events = new ArrayList<>();
    private final List<Effect.RecordEvent> announced = new ArrayList<>();
    int writes;
    int attempts;
    private final Map<String, Node> nodes = new TreeMap<>();
    private final Map<String, Pod> pods = new TreeMap<>();
    private final Map<String, Reservation> reservations = new TreeMap<>();
    private final List<Effect.Write> pendingWrites = new ArrayList<>();
    private final List<Effect.Bind> pendingBinds = new ArrayList<>();
    /** The reservations whose latest version the watch has not shown. */
    private final Set<String> hidden = new TreeSet<>();

    private ServerMode serverMode = ServerMode.ACCEPTING;
    private boolean acceptsBinds;
    private final Map<String, String> recordedHolds = new TreeMap<>();
    private int versions;
    private Set<String> servedNames = Set.of(SCHEDULER);
    private Scheduler scheduler = scheduler();

    private Scheduler scheduler() {
        Ledger ledger = new Ledger();
        return new Scheduler(
                ledger,
                new Placer(ledger, ScoreWeights.DEFAULT),
                new SchedulingQueue(BackoffPolicy.DEFAULT),
                servedNames,
                List.of(new KoordinatorDoor(KoordinatorSettings.of(servedNames))));
    }

    KoordinatorTestCluster createNode(NodeBuilder builder) {
        Node node = builder.build();
        nodes.put(node.name(), node);
        return deliver(new Fact.NodeUpserted(node)).runTurns();
    }

    KoordinatorTestCluster deleteNode(String name) {
        Node gone = nodes.remove(name);
        assertThat(gone).as(name).isNotNull();
        return deliver(new Fact.NodeDeleted(gone.uid())).runTurns();
    }

    KoordinatorTestCluster createReservation(ReservationBuilder builder) {
        publish(builder.build("v" + ++versions));
        return runTurns();
    }

    /** Somebody edits all but the status. */
    KoordinatorTestCluster edit(ReservationBuilder builder) {
        Reservation edited = builder.build("v" + ++versions);
        publish(withStatus(edited, edited.resourceVersion(), status(edited.name())));
        return runTurns();
    }

    /** Somebody edits the specification alone; the template stays where there are no terms. */
    KoordinatorTestCluster editSpec(String name, Optional<ReservationSpec> reservationSpec, String problem) {
        Reservation it = getReservation(name);
        publish(new Reservation(
                it.uid(),
                name,
                "v" + ++versions,
                it.created(),
                it.terminating(),
                it.schedulerName(),
                reservationSpec,
                problem,
                reservationSpec.map(ReservationSpec::template).or(it::template),
                it.unknownFields(),
                it.status()));
        return runTurns();
    }

    Reservation getReservation(String name) {
        return Optional.ofNullable(reservations.get(name))
                .orElseThrow(() -> new AssertionError("no reservation " + name));
    }

    /** The watch hides nothing from here on, until the mood changes. */
    KoordinatorTestCluster resumeWatch() {
        return isWatchStalled() ? setServerMode(ServerMode.ACCEPTING) : this;
    }

    boolean isWatchStalled() {
        return serverMode == ServerMode.WATCH_STALLED;
    }

    KoordinatorTestCluster deleteReservation(String name) {
        assertThat(reservations.remove(name)).as(name).isNotNull();
        return deliver(new ReservationFact.Deleted(name)).runTurns();
    }

    KoordinatorTestCluster createPod(PodBuilder builder) {
        publish(builder.with(pod -> pod.schedulerName(SCHEDULER)).build());
        return runTurns();
    }

    /** A pod of its own scheduler. */
    KoordinatorTestCluster createPodOfOtherScheduler(PodBuilder builder) {
        publish(builder.build());
        return runTurns();
    }

    /** The same for pods that are seen together. */
    KoordinatorTestCluster createPodsOfOtherScheduler(List<PodBuilder> builders) {
        builders.forEach(builder -> publish(builder.build()));
        return runTurns();
    }

    /** Somebody writes an annotation of the pod; an empty value removes it. */
    KoordinatorTestCluster annotate(String pod, String key, String value) {
        Pod known = getPod(pod);
        Map<String, String> annotations = new TreeMap<>(known.annotations().toMap());
        annotations.remove(key);
        if (!value.isEmpty()) {
            annotations.put(key, value);
        }
        publish(known.toBuilder().annotations(Labels.of(annotations)).build());
        return runTurns();
    }

    /** Somebody replaces all labels of the pod by this one. */
    KoordinatorTestCluster relabel(String pod, String key, String value) {
        publish(getPod(pod).toBuilder().labels(Labels.of(key, value)).build());
        return runTurns();
    }

    private Pod getPod(String pod) {
        return Optional.ofNullable(pods.get(pod)).orElseThrow(() -> new AssertionError("no pod " + pod));
    }

    KoordinatorTestCluster deletePod(String pod) {
        Pod gone = pods.remove(pod);
        assertThat(gone).as(pod).isNotNull();
        return deliver(new Fact.PodDeleted(gone.uid())).runTurns();
    }

    /** Binds are taken whatever becomes of writes, until the server's mood changes. */
    KoordinatorTestCluster acceptBindsOnly() {
        acceptsBinds = true;
        return this;
    }

    /** When it stops hiding, the watch shows everything as it is. */
    KoordinatorTestCluster setServerMode(ServerMode next) {
        boolean hid = serverMode == ServerMode.WATCH_STALLED && next != ServerMode.WATCH_STALLED;
        serverMode = next;
        acceptsBinds = false;
        if (hid) {
            publishHidden();
        }
        return runTurns();
    }

    KoordinatorTestCluster advance(Duration time) {
        clock.advance(time);
        return runTurns();
    }

    /** Killed and started anew: what was on its way is lost, and lists come in the least handy order. */
    KoordinatorTestCluster restart() {
        pendingWrites.clear();
        pendingBinds.clear();
        hidden.clear();
        scheduler = scheduler();
        reservations.values().forEach(it -> deliver(new ReservationFact.Upserted(it)));
        pods.values().forEach(pod -> deliver(new Fact.PodUpserted(pod)));
        nodes.values().forEach(node -> deliver(new Fact.NodeUpserted(node)));
        return runTurns();
    }

    /** Restarted with other schedulers' names to serve. */
    KoordinatorTestCluster restartServing(String... served) {
        servedNames = Set.of(served);
        return restart();
    }

    /** Another program writes its status. */
    KoordinatorTestCluster writeStatusAsOtherScheduler(String reservation, ReservationStatus status) {
        Reservation there = reservations.get(reservation);
        assertThat(there).as(reservation).isNotNull();
        publish(withStatus(there, "v" + ++versions, status));
        return runTurns();
    }

    /** Killed, and the node of this name is another when the next process starts. */
    KoordinatorTestCluster replaceWhileDown(NodeBuilder builder) {
        Node replaced = builder.build();
        nodes.put(replaced.name(), replaced);
        return restart();
    }

    ReservationStatus status(String reservation) {
        return getReservation(reservation).status();
    }

    /** Its conditions in one line: {@code Scheduled=true/Scheduled Ready=true/Available}. */
    String conditions(String reservation) {
        List<String> words = status(reservation).conditions().stream()
                .map(it -> "%s=%s/%s".formatted(it.type().value(), it.isTrue(), it.reason()))
                .toList();
        return String.join(" ", words);
    }

    /** The objects that an event of this reason was recorded for: {@code Reservation r}, {@code Node n1}. */
    List<String> eventTargetsOf(String reason) {
        return announced.stream()
                .filter(event -> event.kind().reason().equals(reason))
                .map(event -> event.target().toString())
                .toList();
    }

    /** How many writes failed and wait for another try. */
    int retrying() {
        return scheduler.retryingWrites();
    }

    int invalid() {
        return scheduler.invalidObjects();
    }

    boolean serves(String schedulerName) {
        return servedNames.contains(schedulerName);
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
        return scheduler.ledger();
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

    KoordinatorTestCluster runTurns() {
        for (int i = 0; i < 12; i++) {
            scheduler.advance(clock.instant());
            scheduler.reconcileDoors(clock.instant());
            List<Effect> effects = new ArrayList<>(scheduler.drainEffects());
            for (Optional<List<Effect>> next = scheduler.scheduleOne(clock.instant());
                    next.isPresent();
                    next = scheduler.scheduleOne(clock.instant())) {
                effects.addAll(next.get());
            }
            effects.addAll(scheduler.drainEffects());
            effects.forEach(this::dispatch);
            answerWrites();
            assertThat(Invariants.check(scheduler.ledger().snapshot())).isEmpty();
            assertThat(Invariants.checkRebuilt(scheduler.ledger().snapshot())).isEmpty();
        }
        return this;
    }

    private KoordinatorTestCluster deliver(Fact fact) {
        scheduler.apply(fact, clock.instant());
        return this;
    }

    private void publish(Reservation reservation) {
        reservations.put(reservation.name(), reservation);
        if (serverMode == ServerMode.WATCH_STALLED) {
            hidden.add(reservation.name());
        } else {
            deliver(new ReservationFact.Upserted(reservation));
        }
    }

    private void publishHidden() {
        hidden.stream()
                .flatMap(name -> Optional.ofNullable(reservations.get(name)).stream())
                .forEach(it -> deliver(new ReservationFact.Upserted(it)));
        hidden.clear();
    }

    private void publish(Pod pod) {
        pods.put(pod.name(), pod);
        deliver(new Fact.PodUpserted(pod));
    }

    private void dispatch(Effect effect) {
        if (effect instanceof Effect.RecordEvent announcement) {
            announced.add(announcement);
            events.add("%s: %s".formatted(announcement.kind().reason(), announcement.note()));
        } else if (effect instanceof Effect.Write write) {
            pendingWrites.add(write);
        } else if (effect instanceof Effect.Bind bind) {
            pendingBinds.add(bind);
        }
    }

    private void bind(Effect.Bind bind) {
        Pod pod = pods.get(bind.pod().name());
        if (pod == null
                || (!acceptsBinds && serverMode != ServerMode.ACCEPTING && serverMode != ServerMode.WATCH_STALLED)) {
            scheduler.onBindFailed(bind, Optional.empty(), clock.instant());
            return;
        }
        Map<String, String> annotations = new TreeMap<>(pod.annotations().toMap());
        annotations.putAll(bind.annotations());
        publish(pod.boundTo(bind.node()).toBuilder()
                .annotations(Labels.of(annotations))
                .build());
        scheduler.onBound(bind).forEach(this::dispatch);
        recordedHolds.put(pod.name(), bind.annotations().getOrDefault(Claim.ANNOTATION, ""));
    }

    /** The pods that are there and that Berth bound with the hold, whatever they say by now. */
    List<String> podsBoundWith(HoldId hold) {
        return pods.keySet().stream()
                .filter(pod -> hold.value().equals(recordedHolds.get(pod)))
                .toList();
    }

    private void answerWrites() {
        List<Effect.Write> now = serverMode == ServerMode.SILENT ? List.of() : List.copyOf(pendingWrites);
        pendingWrites.removeAll(now);
        List<Effect.Bind> bound = serverMode == ServerMode.SILENT ? List.of() : List.copyOf(pendingBinds);
        pendingBinds.removeAll(bound);
        bound.forEach(this::bind);
        now.forEach(write -> scheduler.onWriteResult(write, apply((ReservationWrite) write), clock.instant()));
    }

    private WriteResult apply(ReservationWrite write) {
        Reservation there = reservations.get(write.name());
        attempts++;
        if (serverMode == ServerMode.DENYING) {
            return new WriteResult(WriteResult.ResultKind.DENIED, "forbidden");
        }
        if (serverMode == ServerMode.CONFLICTING) {
            return new WriteResult(WriteResult.ResultKind.CONFLICT, "changed");
        }
        if (serverMode == ServerMode.NOT_FOUND) {
            return new WriteResult(WriteResult.ResultKind.NOT_FOUND, "no such reservation");
        }
        if (there == null || !there.uid().equals(write.uid())) {
            return new WriteResult(WriteResult.ResultKind.NOT_FOUND, "no such reservation");
        }
        if (write instanceof ReservationWrite.UpdateStatus updateStatus) {
            if (!updateStatus.resourceVersion().equals(there.resourceVersion())) {
                return new WriteResult(WriteResult.ResultKind.CONFLICT, "changed");
            }
            writes++;
            publish(withStatus(there, "v" + ++versions, updateStatus.status()));
        } else {
            reservations.remove(write.name());
            hidden.remove(write.name());
            deliver(new ReservationFact.Deleted(write.uid()));
        }
        return WriteResult.WRITTEN;
    }

    private static Reservation withStatus(Reservation it, String version, ReservationStatus status) {
        return new Reservation(
                it.uid(),
                it.name(),
                version,
                it.created(),
                it.terminating(),
                it.schedulerName(),
                it.spec(),
                it.problem(),
                it.template(),
                it.unknownFields(),
                status);
    }
}
