package dev.berth.core.door.koordinator;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodPhase;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.koordinator.settings.PreAllocationSettings;
import dev.berth.core.door.koordinator.settings.ReservationSettings;
import dev.berth.core.hold.Claim;
import dev.berth.core.preemption.PodDisruptionBudget;
import dev.berth.core.resource.Resources;
import dev.berth.core.testing.OperationCounts;
import dev.berth.core.testing.SchedulerScene.ServerMode;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * Reservations, their owners and other pods, nodes, budgets, other programs, an API server that fails and a Berth that is
 * killed: everything that {@link HistoryOperation} names, in random order. It knows what no object shows.
 */
final class RandomHistory {
    final KoordinatorScene scene = new KoordinatorScene();
    final SplittableRandom random;
    final HistoryObjects objects;
    final HistoryNodes nodes;
    final OperationCounts<HistoryCase> cases;
    /** By name: the last edit of each Reservation. */
    final Map<String, ReservationBuilder> builders = new HashMap<>();
    /** By name: the node that another program wrote into the status. Nothing checked whether the node has the capacity. */
    final Map<String, String> movedByStatus = new HashMap<>();
    /** Whose status another program took back, or that were shared and for once: more than one pod may have used them. */
    final Set<String> ambiguous = new HashSet<>();

    private final OperationCounts<HistoryOperation> operations;
    private final RandomResizes resizes = new RandomResizes(scene);

    RandomHistory(long seed, OperationCounts<HistoryOperation> operations, OperationCounts<HistoryCase> cases) {
        this.operations = operations;
        this.cases = cases;
        this.random = new SplittableRandom(seed);
        this.objects = new HistoryObjects(scene, random);
        this.nodes = new HistoryNodes(scene, random);
        scene.withPreemption()
                .withSettings(ReservationSettings.DEFAULT
                        .withPreemptionEnabled(true)
                        .withPreAllocation(new PreAllocationSettings(
                                true, HistoryObjects.CANDIDATE, "pod.koordinator.sh/pre-allocatable-priority", false)));
        HistoryObjects.NODES.forEach(nodes::register);
    }

    HistoryOperation next() {
        HistoryOperation[] all = HistoryOperation.values();
        int drawn = random.nextInt(Arrays.stream(all).mapToInt(it -> it.weight).sum());
        for (HistoryOperation operation : all) {
            drawn -= operation.weight;
            if (drawn < 0) {
                if (perform(operation)) {
                    operations.count(operation);
                }
                return operation;
            }
        }
        throw new IllegalStateException("no operation");
    }

    /** Whether it had an effect. */
    private boolean perform(HistoryOperation operation) {
        return switch (operation) {
            case CREATE_RESERVATION -> create(objects.reservation());
            case CREATE_POD -> done(scene.upsert(objects.pod()));
            case CREATE_OWNER ->
                one(unfinished()).map(it -> scene.upsert(objects.ownerOf(it))).isPresent();
            case DELETE_POD -> one(scene.pods()).map(scene::delete).isPresent();
            case DELETE_TERMINATING_POD -> one(terminating()).map(scene::delete).isPresent();
            case FINISH_POD ->
                one(running())
                        .map(pod -> scene.changePod(pod.name(), it -> it.phase(PodPhase.SUCCEEDED)))
                        .isPresent();
            case DELETE_RESERVATION ->
                one(scene.reservations()).map(it -> delete(it.name())).isPresent();
            case TERMINATE_RESERVATION -> edit(ReservationBuilder::terminating);
            case RESIZE_BY_TEMPLATE -> edit(this::requestOtherSize);
            case RESIZE_BY_STATUS -> resizes.patch(random);
            case EDIT_OWNERS -> edit(objects::own);
            case EDIT_ALLOCATE_ONCE -> editAllocateOnce();
            case EDIT_DEADLINE -> edit(it -> it.until(scene.clock.instant().plusSeconds(random.nextInt(900))));
            case EDIT_UNSCHEDULABLE -> edit(it -> it.unschedulable(random.nextBoolean()));
            case RELABEL_POD ->
                one(relabelable())
                        .map(pod -> scene.label(pod.name(), "app", "other"))
                        .isPresent();
            case CORDON -> nodes.cordon();
            case NOT_READY -> nodes.changeReadiness();
            case TAINT -> nodes.taint();
            case DELETE_NODE -> one(scene.nodeNames()).map(nodes::delete).isPresent();
            case REGISTER_NODE -> one(nodes.absent()).map(nodes::register).isPresent();
            case REPLACE_NODE_WHILE_DOWN ->
                one(scene.nodeNames()).map(this::replaceNodeWhileDown).isPresent();
            case SHRINK_NODE -> one(scene.nodeNames()).map(nodes::resize).isPresent();
            case BIND_BY_OTHER_SCHEDULER ->
                one(scene.nodeNames())
                        .map(node -> scene.upsert(objects.boundTo(node)))
                        .isPresent();
            case CHANGE_BUDGET -> done(scene.upsert(budget(random.nextInt(2))));
            case RESTART -> restart();
            case KILL_AFTER_SOME_TURNS -> kill();
            case LOSE_ANSWERS -> loseAnswers();
            case CHANGE_SERVER_MODE -> changeServerMode();
            case DELAY_ANSWERS -> done(scene.delayAnswers(random.nextBoolean()));
            case PASS_TIME -> done(scene.advance(Duration.ofSeconds(random.nextInt(30))));
            case PASS_MINUTES -> done(scene.advance(Duration.ofSeconds(random.nextInt(400))));
            case MOVE_BY_STATUS -> moveByStatus();
            case TAKE_BACK_TO_PENDING -> takeBack();
        };
    }

    private static boolean done(KoordinatorScene effect) {
        return effect != null;
    }

    private static PodDisruptionBudget budget(int allowed) {
        return new PodDisruptionBudget(
                "b", "default", Optional.of(LabelSelector.of(Labels.of("budget", "b"))), allowed, Set.of());
    }

    private <T> Optional<T> one(List<T> all) {
        return all.isEmpty() ? Optional.empty() : Optional.of(all.get(random.nextInt(all.size())));
    }

    private List<Pod> terminating() {
        return scene.pods().stream().filter(Pod::terminating).toList();
    }

    private List<Pod> running() {
        return scene.pods().stream().filter(pod -> pod.nodeName().isPresent()).toList();
    }

    /**
     * Before a status lists a pod, only its record says which Reservation it uses, and the record counts while the owners
     * match the pod (docs/decisions/records.md).
     */
    private List<Pod> relabelable() {
        Set<PodUid> listed = new HashSet<>();
        scene.reservations().forEach(it -> listed.addAll(it.status().currentOwnerUids()));
        return scene.pods().stream()
                .filter(pod -> listed.contains(pod.uid())
                        || !pod.annotations().get(Claim.ANNOTATION).isPresent())
                .toList();
    }

    private List<Reservation> unfinished() {
        return scene.reservations().stream()
                .filter(it -> !it.status().phase().terminal() && !it.terminating())
                .toList();
    }

    private List<Reservation> placed() {
        scene.resumeWatch();
        return unfinished().stream().filter(it -> it.status().isAvailable()).toList();
    }

    // Reservations.

    boolean create(ReservationBuilder made) {
        builders.put(made.build("").name(), made);
        return done(scene.createReservation(made));
    }

    private KoordinatorScene delete(String name) {
        builders.remove(name);
        return scene.deleteReservation(name);
    }

    private boolean edit(Consumer<ReservationBuilder> change) {
        Optional<Reservation> chosen = one(unfinished());
        chosen.map(it -> builders.get(it.name())).ifPresent(builder -> {
            change.accept(builder);
            scene.edit(builder);
        });
        return chosen.isPresent();
    }

    private void requestOtherSize(ReservationBuilder builder) {
        builder.requesting(objects.cpus());
        resizes.onTemplateEdited(builder.build("").name());
    }

    /** Called at rest: a placed Reservation has the size that was asked for last, or its node has no room for it. */
    void checkSize(String where, Reservation reservation, List<Pod> users) {
        if (!ambiguous.contains(reservation.name())) {
            resizes.check(where, reservation, users);
        }
    }

    private boolean editAllocateOnce() {
        boolean once = random.nextBoolean();
        return edit(builder -> {
            ambiguous.add(builder.build("").name());
            if (once) {
                builder.allocateOnce();
            } else {
                builder.shared();
            }
        });
    }

    private boolean moveByStatus() {
        Optional<Reservation> chosen = one(placed());
        Optional<String> node = one(scene.nodeNames());
        if (chosen.isEmpty() || node.isEmpty()) {
            return false;
        }
        ReservationStatus status = chosen.get().status();
        if (node.get().equals(status.nodeName())) {
            // Its users stay there. Without their entries in the status a relabelled user would lose its claim.
            return false;
        }
        movedByStatus.put(chosen.get().name(), node.get());
        ambiguous.add(chosen.get().name());
        return done(scene.writeStatusAsOtherScheduler(
                chosen.get().name(), withPlace(status, status.phase(), node.get(), status.allocatable())));
    }

    private boolean takeBack() {
        Optional<Reservation> chosen = one(placed());
        chosen.ifPresent(it -> {
            ambiguous.add(it.name());
            scene.writeStatusAsOtherScheduler(
                    it.name(), withPlace(it.status(), ReservationStatus.ReservationPhase.PENDING, "", Resources.NONE));
        });
        return chosen.isPresent();
    }

    private static ReservationStatus withPlace(
            ReservationStatus status, ReservationStatus.ReservationPhase phase, String node, Resources size) {
        return new ReservationStatus(
                phase, node, size, Resources.NONE.inDimensionsOf(size), List.of(), status.conditions());
    }

    // Berth and the API server.

    boolean restart() {
        beforeRestart();
        return done(scene.restart());
    }

    private boolean kill() {
        beforeRestart();
        return done(scene.restartForTurns(1 + random.nextInt(3)));
    }

    private KoordinatorScene replaceNodeWhileDown(String name) {
        beforeRestart();
        return nodes.replaceWhileDown(name);
    }

    private void beforeRestart() {
        resizes.beforeRestart();
    }

    private boolean loseAnswers() {
        beforeRestart();
        return done(scene.loseAnswers(random.nextInt(2)).restart());
    }

    private boolean changeServerMode() {
        ServerMode mode = random.nextBoolean()
                ? ServerMode.ACCEPTING
                : one(List.of(ServerMode.values())).orElseThrow();
        scene.setServerMode(mode);
        if (objects.oneIn(3)) {
            scene.acceptBindsOnly();
        }
        return mode != ServerMode.ACCEPTING;
    }
}
