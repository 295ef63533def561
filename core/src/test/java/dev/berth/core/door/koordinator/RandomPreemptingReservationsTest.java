package dev.berth.core.door.koordinator;

import static dev.berth.core.door.koordinator.ReservationBuilder.aReservation;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import dev.berth.core.invariant.Invariants;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.ledger.LedgerFacts;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.HoldUse;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.preemption.PodDisruptionBudget;
import dev.berth.core.resource.Resources;
import dev.berth.core.testing.PodBuilder;
import dev.berth.core.testing.RandomHistories;
import dev.berth.core.testing.SchedulerScene;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;

/**
 * Reservations, their owners and other pods of several priorities preempt pods. Budgets change, pods disable preemption, finish slowly and
 * are deleted; Reservations are edited, deleted and expire; writes are denied or delayed, and Berth is killed. No node is
 * promised twice, no victim is deleted twice, and no protected pod is evicted for a Reservation. Once churn stops, each
 * Reservation has a place or no node would fit without the pods that it may preempt.
 */
class RandomPreemptingReservationsTest {
    private static final int STEPS = 80;
    private static final Duration A_BACK_OFF = Duration.ofSeconds(15);
    private static final String PROTECTED = "scheduling.koordinator.sh/disable-preemptible";
    private static final List<String> NODES = List.of("n1", "n2", "n3");
    private static final List<SchedulerScene.ServerMode> MODES = List.of(
            SchedulerScene.ServerMode.ACCEPTING,
            SchedulerScene.ServerMode.ACCEPTING,
            SchedulerScene.ServerMode.SILENT,
            SchedulerScene.ServerMode.CONFLICTING,
            SchedulerScene.ServerMode.WATCH_STALLED);

    private final KoordinatorScene scene = new KoordinatorScene().withPreemptingReservations();
    private int names;

    @RandomHistories(count = 60)
    void noVictimIsDeletedTwiceAndEachReservationThatFitsLands(long seed) {
        run(seed);
    }

    @Tag("long")
    @RandomHistories(count = 1_250, fresh = true)
    void noVictimIsDeletedTwiceInAHundredThousandSteps(long seed) {
        run(seed);
    }

    private void run(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        NODES.forEach(node -> scene.upsert(aNode(node).with("4 cpu", "20 pods")));
        for (int step = 0; step < STEPS; step++) {
            act(random);
            String where = "seed %d, step %d".formatted(seed, step);
            checkNothingIsPromisedTwice(where);
            checkVictims(where);
            if (step % 16 == 15) {
                calm();
                checkVictims(where);
                checkNominationsAreRecorded(where);
                checkNoReservationWaitsThatCouldPreempt(where);
            }
        }
    }

    private void act(SplittableRandom random) {
        switch (random.nextInt(21)) {
            case 0, 1, 2, 3 -> scene.upsert(pod(random));
            case 4, 5, 6 -> scene.createReservation(reservation(name("r"), random));
            case 7, 8, 9 -> one(leaving(), random).forEach(pod -> scene.deletePod(pod.name()));
            case 10 -> one(scene.pods(), random).forEach(pod -> scene.deletePod(pod.name()));
            case 11 -> one(scene.reservations(), random).forEach(it -> scene.deleteReservation(it.name()));
            case 12 -> one(pending(), random).forEach(it -> scene.edit(reservation(it.name(), random)));
            case 13, 14 -> scene.restartForTurns(1 + random.nextInt(3));
            case 15 -> scene.setServerMode(MODES.get(random.nextInt(MODES.size())));
            case 16 ->
                one(notInDeletion(), random)
                        // Its other labels stay: a pod that no status lists yet must stay an owner.
                        .forEach(pod -> scene.label(pod.name(), PROTECTED, "" + random.nextBoolean()));
            case 17 -> scene.delayAnswers(random.nextBoolean());
            case 18 -> scene.upsert(budget(random.nextInt(2)));
            default -> scene.advance(Duration.ofSeconds(random.nextInt(25)));
        }
    }

    private String name(String kind) {
        names++;
        return "%s%03d".formatted(kind, names);
    }

    private PodBuilder pod(SplittableRandom random) {
        PodBuilder pod = aPod(name("p")).asking(1 + random.nextInt(4) + " cpu").ofPriority(random.nextInt(4) * 10);
        if (random.nextInt(3) == 0) {
            pod.labelled("budget", "b");
        }
        return switch (random.nextInt(4)) {
            case 0 -> pod.labelled("app", "web");
            case 1 -> pod.labelled(PROTECTED, "true");
            default -> pod;
        };
    }

    private static PodDisruptionBudget budget(int allowed) {
        return new PodDisruptionBudget(
                "b", "default", Optional.of(LabelSelector.of(Labels.of("budget", "b"))), allowed, Set.of());
    }

    private ReservationBuilder reservation(String name, SplittableRandom random) {
        ReservationBuilder reservation = aReservation(name)
                .requesting(1 + random.nextInt(4) + " cpu")
                .ofPriority(5 + random.nextInt(4) * 10)
                .createdAt(scene.clock.instant());
        if (random.nextBoolean()) {
            reservation.shared();
        }
        if (random.nextInt(6) == 0) {
            reservation.neverPreempting();
        }
        if (random.nextInt(6) == 0) {
            reservation.onNode(NODES.get(random.nextInt(NODES.size())));
        }
        return reservation.until(scene.clock.instant().plusSeconds(60 + random.nextInt(600)));
    }

    /** A deletion that is in flight cannot be taken back. */
    private List<Pod> notInDeletion() {
        boolean inFlight = scene.delaysAnswers() || scene.serverMode() == SchedulerScene.ServerMode.SILENT;
        return inFlight ? List.of() : scene.pods();
    }

    private List<Pod> leaving() {
        return scene.pods().stream().filter(Pod::terminating).toList();
    }

    private List<Reservation> pending() {
        return scene.reservations().stream().filter(Reservation::pending).toList();
    }

    private static <T> List<T> one(List<T> all, SplittableRandom random) {
        return all.isEmpty() ? List.of() : List.of(all.get(random.nextInt(all.size())));
    }

    private void calm() {
        scene.delayAnswers(false).setServerMode(SchedulerScene.ServerMode.ACCEPTING);
        scene.restart();
        for (int i = 0; i < 10; i++) {
            leaving().forEach(pod -> scene.deletePod(pod.name()));
            scene.advance(A_BACK_OFF);
        }
        scene.repeatWhileBackingOff(() -> {
            scene.advance(A_BACK_OFF);
            leaving().forEach(pod -> scene.deletePod(pod.name()));
        });
    }

    /**
     * The sums are exact without the nominations that wait for victims, and once the victims have left. In between a victim
     * can count for one nomination, and what that nomination draws on a Reservation then counts for another one.
     */
    private void checkNothingIsPromisedTwice(String where) {
        assertThat(Invariants.checkPromises(scene.ledger().snapshot(), node -> Resources.NONE))
                .as(where)
                .isEmpty();
    }

    private void checkVictims(String where) {
        assertThat(scene.podWrites().stream().filter(write -> write.startsWith("delete")))
                .as("%s: deletions", where)
                .doesNotHaveDuplicates();
        assertThat(scene.protectedVictimsOfReservations())
                .as("%s: protected victims of Reservations", where)
                .isEmpty();
    }

    /** A nominated node is in the status exactly while the node is held. */
    private void checkNominationsAreRecorded(String where) {
        for (Reservation reservation : scene.reservations()) {
            boolean held = scene.ledger()
                    .hold(new HoldId("preemption/koordinator/" + reservation.uid()))
                    .isPresent();
            assertThat(!reservation.status().nominatedNode().isEmpty())
                    .as("%s: nominated node of %s (%s)", where, reservation, scene.conditions(reservation.name()))
                    .isEqualTo(held);
            assertThat(held && !reservation.pending())
                    .as("%s: nomination of %s, which is not pending", where, reservation)
                    .isFalse();
        }
    }

    private void checkNoReservationWaitsThatCouldPreempt(String where) {
        List<String> waiting = new ArrayList<>();
        for (Reservation reservation : pending()) {
            Pod request = reservation.reservePod(reservation.spec().orElseThrow());
            if (someNodeWouldTake(request)) {
                waiting.add("%s (%s, priority %d): %s"
                        .formatted(
                                reservation,
                                request.spec().requests(),
                                request.priority(),
                                reservation.status().unschedulableMessage()));
            }
        }
        assertThat(waiting)
                .as("%s: Reservations that wait although a node would take them", where)
                .isEmpty();
    }

    /** By a ledger without nominations of lower priority and without the pods that the Reservation may preempt. */
    private boolean someNodeWouldTake(Pod request) {
        LedgerFacts shown = scene.ledger().facts();
        List<Hold> holds = shown.holds().stream()
                .filter(hold -> hold.origin().component() != Origin.PluginId.PREEMPTION
                        || priorityOfNominee(hold) >= request.priority())
                .toList();
        List<Pod> staying = shown.pods().stream()
                .filter(other -> other.nodeName().isEmpty()
                        || !request.mayPreempt()
                        || other.priority() >= request.priority()
                        || other.labels().has(PROTECTED, "true"))
                .toList();
        Ledger ledger = Ledger.of(new LedgerFacts(
                shown.nodes(), staying, holds, shown.workloads(), List.of(), shown.confirmed(), shown.namespaces()));
        Placer placer = new Placer(ledger, ScoreWeights.DEFAULT);
        return NODES.stream().anyMatch(name -> {
            NodeState node = ledger.node(name).orElseThrow();
            return placer.vetoes(request, node, HoldUse.NONE).isEmpty();
        });
    }

    private int priorityOfNominee(Hold nomination) {
        String uid = nomination.id().value().substring("preemption/".length());
        return uid.startsWith("koordinator/")
                ? scene.getReservation(uid.substring("koordinator/".length()))
                        .spec()
                        .orElseThrow()
                        .template()
                        .priority()
                : scene.pod(uid).priority();
    }
}
