package dev.berth.core.door.koordinator;

import static dev.berth.core.testing.SchedulerBuilder.aScheduler;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.effect.Effect;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.fact.Fact;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.HoldId;
import dev.berth.core.scheduling.Scheduler;
import dev.berth.core.testing.PodBuilder;
import dev.berth.core.testing.SchedulerScene;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The koordinator door and an API server with Reservations, whose status it writes if the version is the current one. */
final class KoordinatorScene extends SchedulerScene<KoordinatorScene> {
    static final String SCHEDULER = "koord-scheduler";
    private static final int TURNS = 12;

    /** How many status writes succeeded. */
    int writes;

    private final Map<String, Reservation> reservations = new TreeMap<>();
    private final Map<String, String> recordedHolds = new TreeMap<>();
    private boolean acceptsAllBinds;
    private int versions;
    private Set<String> servedNames = Set.of(SCHEDULER);

    @Override
    protected Scheduler newScheduler() {
        return aScheduler()
                .serving(servedNames)
                .withDoors(new KoordinatorDoor(KoordinatorSettings.of(servedNames)))
                .build();
    }

    @Override
    protected List<Fact> listObjects() {
        return reservations.values().stream()
                .<Fact>map(ReservationFact.Upserted::new)
                .toList();
    }

    @Override
    protected KoordinatorScene runTurns() {
        for (int i = 0; i < TURNS; i++) {
            runTurn();
        }
        return this;
    }

    @Override
    protected String describe(Effect.RecordEvent event) {
        return "%s: %s".formatted(event.kind().reason(), event.note());
    }

    KoordinatorScene createReservation(ReservationBuilder builder) {
        publish(builder.build(nextVersion()));
        return runTurns();
    }

    /** A user edits everything except the status. */
    KoordinatorScene edit(ReservationBuilder builder) {
        Reservation edited = builder.build(nextVersion());
        publish(withStatus(edited, edited.resourceVersion(), status(edited.name())));
        return runTurns();
    }

    /** A user edits the specification alone. A malformed specification leaves the template as it was. */
    KoordinatorScene editSpec(String name, Optional<ReservationSpec> reservationSpec, String problem) {
        Reservation it = getReservation(name);
        publish(new Reservation(
                it.uid(),
                name,
                nextVersion(),
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

    /** Another program writes the status. */
    KoordinatorScene writeStatusAsOtherScheduler(String name, ReservationStatus status) {
        publish(withStatus(getReservation(name), nextVersion(), status));
        return runTurns();
    }

    KoordinatorScene deleteReservation(String name) {
        Reservation deleted = getReservation(name);
        reservations.remove(name);
        show(deleted.uid(), new ReservationFact.Deleted(deleted.uid()));
        return runTurns();
    }

    /** A pod of the scheduler that the scene serves. */
    @Override
    public KoordinatorScene upsert(PodBuilder builder) {
        return super.upsert(builder.with(pod -> pod.schedulerName(SCHEDULER)));
    }

    KoordinatorScene upsertPodOfOtherScheduler(PodBuilder builder) {
        return super.upsert(builder);
    }

    KoordinatorScene upsertPodsOfOtherScheduler(List<PodBuilder> builders) {
        return upsertAll(builders);
    }

    /** A user writes an annotation of the pod. An empty value removes it. */
    KoordinatorScene annotate(String pod, String key, String value) {
        Map<String, String> annotations = new TreeMap<>(pod(pod).annotations().toMap());
        annotations.remove(key);
        if (!value.isEmpty()) {
            annotations.put(key, value);
        }
        return changePod(pod, it -> it.annotations(Labels.of(annotations)));
    }

    /** A user replaces all labels of the pod by this one. */
    KoordinatorScene relabel(String pod, String key, String value) {
        return changePod(pod, it -> it.labels(Labels.of(key, value)));
    }

    /** Binds succeed whatever happens to writes, until the mode of the API server changes. */
    KoordinatorScene acceptBindsOnly() {
        acceptsAllBinds = true;
        return this;
    }

    @Override
    public KoordinatorScene setServerMode(ServerMode next) {
        acceptsAllBinds = false;
        return super.setServerMode(next);
    }

    @Override
    protected boolean answersBinds() {
        return serverMode() != ServerMode.SILENT;
    }

    @Override
    protected boolean acceptsBinds() {
        return acceptsAllBinds || serverMode() == ServerMode.ACCEPTING || isWatchStalled();
    }

    /** Restarted with other schedulers' names to serve. */
    KoordinatorScene restartServing(String... served) {
        servedNames = Set.of(served);
        return restart();
    }

    Reservation getReservation(String name) {
        return Optional.ofNullable(reservations.get(name))
                .orElseThrow(() -> new AssertionError("no reservation " + name));
    }

    boolean exists(String reservation) {
        return reservations.containsKey(reservation);
    }

    List<Reservation> reservations() {
        return List.copyOf(reservations.values());
    }

    ReservationStatus status(String reservation) {
        return getReservation(reservation).status();
    }

    /** Its conditions in one line: {@code Scheduled=true/Scheduled Ready=true/Available}. */
    String conditions(String reservation) {
        List<String> conditions = status(reservation).conditions().stream()
                .map(it -> "%s=%s/%s".formatted(it.type().value(), it.isTrue(), it.reason()))
                .toList();
        return String.join(" ", conditions);
    }

    /** The objects that an event of this reason was recorded for: {@code Reservation r}, {@code Node n1}. */
    List<String> eventTargetsOf(String reason) {
        return recordedEvents.stream()
                .filter(event -> event.kind().reason().equals(reason))
                .map(event -> event.target().toString())
                .toList();
    }

    /** How many writes failed and wait for another try. */
    int retrying() {
        return scheduler().retryingWrites();
    }

    int invalid() {
        return scheduler().invalidObjects();
    }

    boolean serves(String schedulerName) {
        return servedNames.contains(schedulerName);
    }

    String annotation(String pod, String key) {
        return findPod(pod).flatMap(it -> it.annotations().get(key)).orElse("");
    }

    @Override
    protected void onBound(Pod pod, Effect.Bind bind) {
        recordedHolds.put(pod.name(), bind.annotations().getOrDefault(Claim.ANNOTATION, ""));
    }

    /** The existing pods that Berth bound with the hold, whatever their annotations say now. */
    List<String> podsBoundWith(HoldId hold) {
        return pods().stream()
                .map(Pod::name)
                .filter(pod -> hold.value().equals(recordedHolds.get(pod)))
                .toList();
    }

    @Override
    protected WriteResult perform(Effect.Write write) {
        return perform((ReservationWrite) write);
    }

    private WriteResult perform(ReservationWrite write) {
        Reservation there = reservations.get(write.name());
        if (there == null || !there.uid().equals(write.uid())) {
            return new WriteResult(WriteResult.ResultKind.NOT_FOUND, "no such reservation");
        }
        if (write instanceof ReservationWrite.UpdateStatus updateStatus) {
            if (!updateStatus.resourceVersion().equals(there.resourceVersion())) {
                return new WriteResult(WriteResult.ResultKind.CONFLICT, "changed");
            }
            writes++;
            publish(withStatus(there, nextVersion(), updateStatus.status()));
        } else {
            reservations.remove(write.name());
            show(write.uid(), new ReservationFact.Deleted(write.uid()));
        }
        return WriteResult.WRITTEN;
    }

    private void publish(Reservation reservation) {
        reservations.put(reservation.name(), reservation);
        show(reservation.uid(), new ReservationFact.Upserted(reservation));
    }

    private String nextVersion() {
        versions++;
        return "v" + versions;
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
