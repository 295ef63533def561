package dev.berth.core.door.koordinator;

import static dev.berth.core.testing.SchedulerBuilder.aScheduler;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.RecordAnnotations;
import dev.berth.core.door.koordinator.preallocation.AnnotatePod;
import dev.berth.core.door.koordinator.settings.MoveSettings;
import dev.berth.core.door.koordinator.settings.ReservationSettings;
import dev.berth.core.effect.Effect;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.fact.Fact;
import dev.berth.core.framework.Plugin;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.nomination.NominatedNodeWriter;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.profile.Profiles;
import dev.berth.core.preemption.DefaultPreemption;
import dev.berth.core.preemption.PodDisruptionBudget;
import dev.berth.core.preemption.PreemptionFact;
import dev.berth.core.scheduling.Scheduler;
import dev.berth.core.testing.Amounts;
import dev.berth.core.testing.PodBuilder;
import dev.berth.core.testing.SchedulerScene;
import dev.berth.core.volumebinding.StorageObject;
import dev.berth.core.volumebinding.VolumeFact;
import dev.berth.core.volumebinding.VolumeWrite;
import dev.berth.core.volumebinding.prebind.VolumeBinding;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The koordinator door and an API server with Reservations, whose status it writes if the version is the current one. */
public final class KoordinatorScene extends SchedulerScene<KoordinatorScene> {
    public static final String SCHEDULER = "koord-scheduler";
    private static final int TURNS = 12;

    /** How many status writes succeeded. */
    public int writes;

    private final Map<String, Reservation> reservations = new TreeMap<>();
    private final Map<String, String> recordedHolds = new TreeMap<>();
    private final List<String> bindsToOtherPlaces = new ArrayList<>();
    private boolean deniesUnseen;
    private boolean acceptsAllBinds;
    private int versions;
    private Set<String> servedNames = Set.of(SCHEDULER);
    private Map<String, String> yieldedNames = Map.of();
    private ReservationSettings settings = ReservationSettings.DEFAULT;
    private boolean storesColumns = true;
    private boolean preempting;
    private boolean bindingVolumes;
    private final Map<String, StorageObject> storage = new TreeMap<>();
    private final List<VolumeWrite> volumeWrites = new ArrayList<>();
    private final Map<String, PodDisruptionBudget> budgets = new TreeMap<>();
    private final PodWriter podWriter = new PodWriter(new PodWriter.Pods() {
        @Override
        public Optional<Pod> find(Effect.PodRef ref) {
            return findPod(ref.uid());
        }

        @Override
        public void show(Pod pod) {
            showPod(pod);
        }
    });

    @Override
    protected Scheduler newScheduler() {
        Ledger ledger = new Ledger();
        return aScheduler(ledger)
                .serving(servedNames)
                .withDoors(new KoordinatorDoor(new KoordinatorSettings(servedNames, yieldedNames, settings)))
                .withPlugins(plugins(ledger))
                .build();
    }

    private Plugin[] plugins(Ledger ledger) {
        NominatedNodeWriter nominatedNodes = new NominatedNodeWriter();
        List<Plugin> plugins = new ArrayList<>();
        if (preempting || bindingVolumes) {
            plugins.add(nominatedNodes);
        }
        if (preempting) {
            plugins.add(new DefaultPreemption(servedNames, nominatedNodes));
        }
        if (bindingVolumes) {
            Profiles profiles = Profiles.forSchedulers(servedNames, Profile.DEFAULT);
            plugins.add(new VolumeBinding(ledger, profiles, nominatedNodes));
        }
        return plugins.toArray(Plugin[]::new);
    }

    /** Volumes are filtered and bound from the next start on. */
    public KoordinatorScene withVolumeBinding() {
        bindingVolumes = true;
        return this;
    }

    public KoordinatorScene upsert(StorageObject object) {
        storage.put(object.uid(), object);
        apply(new VolumeFact.Upserted(object));
        return runTurns();
    }

    public KoordinatorScene upsert(PodDisruptionBudget budget) {
        budgets.put(budget.uid(), budget);
        apply(new PreemptionFact.BudgetUpserted(budget));
        return runTurns();
    }

    /** What volume binding wrote to claims and volumes, in order. */
    public List<VolumeWrite> volumeWrites() {
        return volumeWrites;
    }

    /** The settings from the next start on. */
    public KoordinatorScene withSettings(ReservationSettings changed) {
        settings = changed;
        return this;
    }

    /** With Koordinator's own CRD the API server drops what is not Koordinator's. */
    KoordinatorScene withCrdOfKoordinator() {
        storesColumns = false;
        return this;
    }

    /** From the next start on, reservations do not move. */
    KoordinatorScene withoutMoving() {
        return withSettings(settings.withMoving(new MoveSettings(false, 60)));
    }

    /** From the next start on, so many reservations leave nodes that are not ready in a minute. */
    KoordinatorScene movingAtMost(int perMinute) {
        settings = settings.withMoving(new MoveSettings(true, perMinute));
        return this;
    }

    /** Pods may preempt pods from the next start on. */
    KoordinatorScene withPreemption() {
        preempting = true;
        return this;
    }

    /** Reservations may preempt pods, too. */
    KoordinatorScene withPreemptingReservations() {
        return withPreemption().withSettings(settings.withPreemptionEnabled(true));
    }

    /** The scheduler is killed and started again. It has this many turns until the next step. */
    KoordinatorScene restartForTurns(int turns) {
        replaceScheduler();
        listPods();
        listObjects().forEach(this::apply);
        listNodes();
        for (int turn = 0; turn < turns; turn++) {
            runTurn();
        }
        return this;
    }

    @Override
    protected List<Fact> listObjects() {
        List<Fact> listed = new ArrayList<>();
        storage.values().forEach(object -> listed.add(new VolumeFact.Upserted(object)));
        budgets.values().forEach(budget -> listed.add(new PreemptionFact.BudgetUpserted(budget)));
        reservations.values().forEach(reservation -> listed.add(new ReservationFact.Upserted(reservation)));
        return listed;
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

    public KoordinatorScene createReservation(ReservationBuilder builder) {
        publish(builder.build(nextVersion()));
        return runTurns();
    }

    /** A user edits everything except the status. */
    public KoordinatorScene edit(ReservationBuilder builder) {
        Reservation edited = builder.build(nextVersion());
        Reservation before = getReservation(edited.name());
        publish(withStatus(edited, edited.resourceVersion(), before.status(), before.shownUntil()));
        return runTurns();
    }

    /** A user edits the specification alone. A malformed specification leaves the template as it was. */
    public KoordinatorScene editSpec(String name, Optional<ReservationSpec> reservationSpec, String problem) {
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
                it.fieldWarnings(),
                it.status(),
                it.shownUntil()));
        return runTurns();
    }

    /** Another program writes the status. */
    public KoordinatorScene writeStatusAsOtherScheduler(String name, ReservationStatus status) {
        publish(withStatus(getReservation(name), nextVersion(), status));
        return runTurns();
    }

    /** A user patches the size in the status. */
    public KoordinatorScene patchAllocatable(String name, String... amounts) {
        return writeStatusAsOtherScheduler(name, status(name).withAllocatable(Amounts.amounts(amounts)));
    }

    public KoordinatorScene deleteReservation(String name) {
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

    public KoordinatorScene upsertPodOfOtherScheduler(PodBuilder builder) {
        return super.upsert(builder);
    }

    public KoordinatorScene upsertPodsOfOtherScheduler(List<PodBuilder> builders) {
        return upsertAll(builders);
    }

    /** A user writes an annotation of the pod. An empty value removes it. */
    public KoordinatorScene annotate(String pod, String key, String value) {
        Map<String, String> annotations = new TreeMap<>(pod(pod).annotations().toMap());
        annotations.remove(key);
        if (!value.isEmpty()) {
            annotations.put(key, value);
        }
        return changePod(pod, it -> it.annotations(Labels.of(annotations)));
    }

    /** A user sets a label of the pod. */
    public KoordinatorScene label(String pod, String key, String value) {
        return changePod(pod, it -> it.labels(pod(pod).labels().with(key, value)));
    }

    /** A user replaces all labels of the pod by this one. */
    public KoordinatorScene relabel(String pod, String key, String value) {
        return changePod(pod, it -> it.labels(Labels.of(key, value)));
    }

    /** Binds succeed whatever happens to writes, until the mode of the API server changes. */
    public KoordinatorScene acceptBindsOnly() {
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
    public KoordinatorScene restartServing(String... served) {
        yieldedNames = Map.of();
        servedNames = Set.of(served);
        return restart();
    }

    /** Restarted because the scheduler whose name Berth serves runs itself, and holds its Lease. */
    KoordinatorScene restartYieldingTo(String scheduler) {
        yieldedNames = Map.of(scheduler, "its own scheduler holds the Lease koordinator-system/" + scheduler);
        servedNames = Set.of();
        return restart();
    }

    public Reservation getReservation(String name) {
        return Optional.ofNullable(reservations.get(name))
                .orElseThrow(() -> new AssertionError("no reservation " + name));
    }

    public boolean exists(String reservation) {
        return reservations.containsKey(reservation);
    }

    public List<Reservation> reservations() {
        return List.copyOf(reservations.values());
    }

    public ReservationStatus status(String reservation) {
        return getReservation(reservation).status();
    }

    /** Its conditions in one line: {@code Scheduled=true/Scheduled Ready=true/Available}. */
    public String conditions(String reservation) {
        List<String> conditions = status(reservation).conditions().stream()
                .map(it -> "%s=%s/%s".formatted(it.type().value(), it.isTrue(), it.reason()))
                .toList();
        return String.join(" ", conditions);
    }

    /** The objects that an event of this reason was recorded for: {@code Reservation r}, {@code Node n1}. */
    public List<String> eventTargetsOf(String reason) {
        return recordedEvents.stream()
                .filter(event -> event.kind().reason().equals(reason))
                .map(event -> event.target().toString())
                .toList();
    }

    /** How many writes failed and wait for another try. */
    public int retrying() {
        return scheduler().retryingWrites();
    }

    public int invalid() {
        return scheduler().invalidObjects();
    }

    public boolean serves(String schedulerName) {
        return servedNames.contains(schedulerName);
    }

    public String annotation(String pod, String key) {
        return findPod(pod).flatMap(it -> it.annotations().get(key)).orElse("");
    }

    /** The binds with a reservation to another node than its status named at that time. */
    List<String> bindsToOtherPlaces() {
        return bindsToOtherPlaces;
    }

    @Override
    protected void onBound(Pod pod, Effect.Bind bind) {
        String hold = bind.annotations().getOrDefault(Claim.ANNOTATION, "");
        reservations.values().stream()
                .filter(it -> it.holdId().value().equals(hold))
                .filter(it -> !it.status().nodeName().equals(bind.node()))
                .forEach(it -> bindsToOtherPlaces.add("%s on %s: %s".formatted(pod.name(), bind.node(), it)));
        recordedHolds.put(pod.name(), bind.annotations().getOrDefault(Claim.ANNOTATION, ""));
    }

    /** The existing pods that Berth bound with the hold, whatever their annotations say now. */
    public List<String> podsBoundWith(HoldId hold) {
        return pods().stream()
                .map(Pod::name)
                .filter(pod -> hold.value().equals(recordedHolds.get(pod)))
                .toList();
    }

    /** The hold in the record that Berth bound the pod with; empty for none. */
    String recordOf(Pod pod) {
        return recordedHolds.getOrDefault(pod.name(), "");
    }

    /** From now on a stalled watch comes with denied writes. */
    KoordinatorScene denyUnseen() {
        deniesUnseen = true;
        return this;
    }

    @Override
    protected WriteResult write(Effect.Write write) {
        return deniesUnseen && isWatchStalled()
                ? new WriteResult(WriteResult.ResultKind.DENIED, "forbidden")
                : super.write(write);
    }

    @Override
    protected WriteResult perform(Effect.Write write) {
        if (write instanceof AnnotatePod annotate) {
            return perform(annotate);
        }
        if (write instanceof VolumeWrite volumeWrite) {
            volumeWrites.add(volumeWrite);
            return WriteResult.WRITTEN;
        }
        if (write instanceof RemoveAllocatedAnnotation removal) {
            return perform(removal);
        }
        return write instanceof ReservationWrite reservationWrite
                ? perform(reservationWrite)
                : podWriter.perform(write, clock.instant());
    }

    private WriteResult perform(AnnotatePod write) {
        Optional<Pod> pod = findPod(write.pod().uid());
        if (pod.isEmpty()) {
            return new WriteResult(WriteResult.ResultKind.NOT_FOUND, "no such pod");
        }
        Map<String, String> annotations = new TreeMap<>(pod.get().annotations().toMap());
        annotations.put(RecordAnnotations.KOORDINATOR_RESERVATION_ALLOCATED, write.value());
        upsertUnseen(pod.get().toBuilder().annotations(Labels.of(annotations)).build());
        show(write.pod().uid().value(), new Fact.PodUpserted(pod(pod.get().name())));
        return WriteResult.WRITTEN;
    }

    /** From now on the API server denies that pods are deleted. */
    KoordinatorScene denyEvictions() {
        podWriter.deniesEvictions = true;
        return this;
    }

    List<String> protectedVictimsOfReservations() {
        return podWriter.protectedVictimsOfReservations;
    }

    List<PodUid> deletedVictims() {
        return podWriter.deletedVictims;
    }

    /** What preemption wrote to pods, in order. */
    List<String> podWrites() {
        return podWriter.writes;
    }

    private WriteResult perform(RemoveAllocatedAnnotation removal) {
        Optional<Pod> pod = findPod(removal.pod().uid());
        pod.ifPresent(it -> {
            Map<String, String> rest = new TreeMap<>(it.annotations().toMap());
            rest.remove(RecordAnnotations.KOORDINATOR_RESERVATION_ALLOCATED);
            showPod(it.toBuilder().annotations(Labels.of(rest)).build());
        });
        return pod.isPresent() ? WriteResult.WRITTEN : new WriteResult(WriteResult.ResultKind.NOT_FOUND, "no such pod");
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
            publish(withStatus(there, nextVersion(), updateStatus.status(), storesColumns ? updateStatus.until() : ""));
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
        return withStatus(it, version, status, it.shownUntil());
    }

    private static Reservation withStatus(Reservation it, String version, ReservationStatus status, String shownUntil) {
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
                it.fieldWarnings(),
                it.unsupported(),
                status,
                shownUntil);
    }
}
