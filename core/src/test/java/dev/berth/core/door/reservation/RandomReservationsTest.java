package dev.berth.core.door.reservation;

import static dev.berth.core.door.reservation.ReservationBuilder.aReservation;
import static dev.berth.core.testing.Amounts.amounts;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.Taint;
import dev.berth.core.hold.Claim;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import dev.berth.core.testing.NodeBuilder;
import dev.berth.core.testing.PodBuilder;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever people do, in whatever order, and however often Berth is killed or the API server does not answer, denies,
 * contradicts or does not show: no node is promised twice, and once everything is quiet each reservation says of itself
 * what the pods say, with a restart or without.
 */
class RandomReservationsTest {
    private static final String FOREIGN = "another-scheduler";
    private static final int STEPS = 120;
    /** Longer than any back-off. */
    private static final Duration A_WHILE = Duration.ofMinutes(6);
    /** Long enough for a refused pod or reservation to be tried again after something helped it. */
    private static final Duration A_BACK_OFF = Duration.ofSeconds(15);

    private final Scene scene = new Scene();
    private final SpecEdits edits = new SpecEdits(scene);
    private final Map<String, Status> placedByAnother = new HashMap<>();
    private final Set<String> tainted = new HashSet<>();
    private int names;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void whatReservationsSayIsTrue(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        SplittableRandom taints = random.split();
        scene.node(node()).node(node());
        for (int step = 0; step < STEPS; step++) {
            act(random, seed, step);
            if (taints.nextInt(12) == 0) {
                one(scene.nodes(), taints).forEach(this::taintOrUntaint);
            }
            nothingIsPromisedTwice(seed, step);
            noNodeHasLessThanWasPromised(seed, step);
            anotherSchedulersStatusIsUntouched(seed, step);
            edits.check("seed %d, step %d".formatted(seed, step));
            if (step % 10 == 9) {
                scene.server(Scene.Mood.TAKING);
                if (random.nextBoolean()) {
                    restart();
                }
                scene.pass(A_WHILE).pass(A_WHILE).pass(A_BACK_OFF).pass(A_BACK_OFF);
                everybodySaysTheTruth(seed, step);
                nothingIsLeftToWrite(seed, step);
            }
        }
    }

    private void act(SplittableRandom random, long seed, int step) {
        switch (random.nextInt(27)) {
            case 0, 1, 2 -> scene.reservation(reservation(random));
            case 3, 4 -> scene.pod(pod(random).labelled("app", "web"));
            case 5 -> scene.pod(pod(random));
            case 6 -> one(scene.pods(), random).forEach(pod -> scene.delete(pod.name()));
            case 7 -> one(scene.reservations(), random).forEach(it -> scene.deleteReservation(it.name()));
            case 8 -> scene.pass(Duration.ofSeconds(random.nextInt(200)));
            case 9 -> restart();
            case 10 -> changeMood(random);
            case 11 -> scene.reservation(reservation(random).scheduledBy(FOREIGN));
            case 12 -> one(scene.nodes(), random).forEach(node -> placeByAnother(node, random));
            case 13 -> serveOthers(random);
            case 14, 15 -> edits.malform(random);
            case 16 -> edits.correct(random);
            case 17, 18 -> edits.changeOnce(random);
            case 19 -> edits.moveEnd(random);
            case 20, 21 -> crowdWhileDenied(random);
            case 22 -> {
                List<String> names = edits.moveEndOfAnother(random, FOREIGN, () -> crowd(random));
                nothingIsPromisedTwice(seed, step);
                // A process that starts later reads the new end, and nothing tells it that the room was given away.
                names.forEach(scene::deleteReservation);
            }
            case 23, 24, 25 -> edits.changeTemplate(random);
            default -> {
                one(scene.nodes(), random).forEach(this::lose);
                scene.node(node());
            }
        }
    }

    /** While no status is written, an owner comes that needs little, and other pods fill the nodes. */
    private void crowdWhileDenied(SplittableRandom random) {
        scene.server(Scene.Mood.DENYING)
                .bindsOnly()
                .pod(aPod(name("p")).asking("1 cpu").labelled("app", "web"));
        crowd(random);
    }

    private void crowd(SplittableRandom random) {
        for (int i = 0; i < 4; i++) {
            scene.pod(pod(random));
        }
    }

    private void changeMood(SplittableRandom random) {
        one(List.of(Scene.Mood.values()), random).forEach(scene::server);
        if (random.nextBoolean()) {
            scene.bindsOnly();
        }
    }

    private void restart() {
        edits.beforeRestart(A_WHILE);
        scene.restart();
        edits.afterRestart();
    }

    /** Another scheduler finds a place for its reservation where it sees room, as Berth does. */
    private void placeByAnother(String node, SplittableRandom random) {
        Resources size = amounts(cpus(random));
        NodeState state = scene.ledger().node(node).orElseThrow();
        if (!scene.serves(FOREIGN) && state.overcommitments().isEmpty() && hasRoom(state, size)) {
            Status placed = Status.NEW.available(node, size, scene.clock.instant());
            ReservationBuilder made = reservation(random).scheduledBy(FOREIGN).saying(placed);
            placedByAnother.put("r%03d".formatted(names), placed);
            scene.reservation(made);
        }
    }

    private static boolean hasRoom(NodeState state, Resources size) {
        return state.free().get(ResourceName.CPU) >= size.get(ResourceName.CPU)
                && state.free().get(ResourceName.PODS) >= 1;
    }

    /** A Berth that serves the other name comes or goes, and with it every process starts again. */
    private void serveOthers(SplittableRandom random) {
        scene.server(Scene.Mood.TAKING);
        edits.beforeRestart(A_WHILE);
        if (random.nextBoolean()) {
            placedByAnother.clear();
            scene.restartServing(Scene.SCHEDULER, FOREIGN);
        } else {
            scene.restartServing(Scene.SCHEDULER);
        }
        edits.afterRestart();
    }

    /**
     * By what the API server shows, whatever the ledger makes of it: what a status promises is kept until the status says
     * that the reservation is over. The reservations of another scheduler end by their time.
     */
    private void noNodeHasLessThanWasPromised(long seed, int step) {
        for (String node : scene.nodes()) {
            Resources promised = requests(scene.pods().stream()
                    .filter(pod -> pod.nodeName().filter(node::equals).isPresent())
                    .toList());
            for (Reservation reservation : scene.reservations()) {
                Status status = reservation.status();
                boolean promises = scene.serves(reservation.schedulerName()) || !edits.over(reservation);
                if (status.available() && status.nodeName().equals(node) && promises) {
                    Resources left = status.allocatable().minus(requests(users(reservation)));
                    promised = promised.plus(left.atLeastZero());
                }
            }
            assertThat(promised.get(ResourceName.CPU))
                    .as("seed %d, step %d, node %s", seed, step, node)
                    .isLessThanOrEqualTo(8_000);
        }
    }

    private void anotherSchedulersStatusIsUntouched(long seed, int step) {
        for (Reservation reservation : scene.reservations()) {
            Status placed = placedByAnother.getOrDefault(reservation.name(), reservation.status());
            assertThat(reservation.status())
                    .as("seed %d, step %d, %s", seed, step, reservation)
                    .isEqualTo(placed);
        }
    }

    /** Nothing in this test tolerates the taint. */
    private void taintOrUntaint(String node) {
        NodeBuilder changed = sized(node);
        if (tainted.add(node)) {
            changed.tainted("maintenance", "", Taint.Effect.NO_SCHEDULE);
        } else {
            tainted.remove(node);
        }
        scene.node(changed);
    }

    /** With the node go its pods. */
    private void lose(String node) {
        scene.nodeGone(node);
        scene.pods().stream()
                .filter(pod -> pod.nodeName().filter(node::equals).isPresent())
                .forEach(pod -> scene.delete(pod.name()));
    }

    private ReservationBuilder reservation(SplittableRandom random) {
        ReservationBuilder made = aReservation(name("r")).keeping(cpus(random)).unschedulable(random.nextInt(8) == 0);
        if (random.nextBoolean()) {
            made.shared();
        }
        if (random.nextInt(3) == 0) {
            made.restricted();
        }
        if (random.nextInt(3) == 0) {
            made.until(scene.clock.instant().plusSeconds(1 + random.nextInt(900)));
        }
        return made;
    }

    private PodBuilder pod(SplittableRandom random) {
        return aPod(name("p")).asking(cpus(random));
    }

    private NodeBuilder node() {
        return sized(name("n"));
    }

    private static NodeBuilder sized(String name) {
        return aNode(name).with("8 cpu", "16Gi memory", "6 pods");
    }

    private String name(String kind) {
        names++;
        return "%s%03d".formatted(kind, names);
    }

    private static String cpus(SplittableRandom random) {
        return (1 + random.nextInt(5)) + " cpu";
    }

    private static <T> List<T> one(List<T> all, SplittableRandom random) {
        return all.isEmpty() ? List.of() : List.of(all.get(random.nextInt(all.size())));
    }

    private void nothingIsPromisedTwice(long seed, int step) {
        for (String name : scene.nodes()) {
            NodeState state = scene.ledger().node(name).orElseThrow();
            assertThat(state.overcommitments())
                    .as("seed %d, step %d, node %s", seed, step, name)
                    .isEmpty();
        }
    }

    private void everybodySaysTheTruth(long seed, int step) {
        for (Reservation reservation : scene.reservations()) {
            String where = "seed %d, step %d, %s".formatted(seed, step, reservation);
            if (!scene.serves(reservation.schedulerName())) {
                whatBerthServesNoLongerSaysSo(where, reservation);
                continue;
            }
            Status status = reservation.status();
            List<Pod> users = users(reservation);
            boolean over = edits.over(reservation);
            switch (status.phase()) {
                case PENDING -> {
                    assertThat(over).as(where).isFalse();
                    assertThat(users).as(where).isEmpty();
                    assertThat(scene.conditions(reservation.name())).as(where).contains("Scheduled=false");
                    assertThat(scene.ledger().hold(reservation.holdId()))
                            .as(where)
                            .isEmpty();
                }
                case AVAILABLE -> {
                    assertThat(over).as(where).isFalse();
                    assertThat(scene.nodes()).as(where).contains(status.nodeName());
                    assertThat(users.isEmpty()
                                    || edits.terms(reservation)
                                            .filter(Terms::once)
                                            .isEmpty())
                            .as(where)
                            .isTrue();
                    assertThat(scene.conditions(reservation.name()).contains("Ready=false/InvalidReservation"))
                            .as(where)
                            .isEqualTo(reservation.terms().isEmpty());
                    edits.checkReports(where, reservation);
                    assertThat(scene.conditions(reservation.name()).contains("NodeUsable=false/NodeTainted"))
                            .as(where)
                            .isEqualTo(tainted.contains(status.nodeName()));
                    assertThat(status.currentOwners())
                            .as(where)
                            .isEqualTo(users.stream().map(CurrentOwner::of).toList());
                    assertThat(status.allocated()).as(where).isEqualTo(requests(users));
                }
                case SUCCEEDED -> {
                    if (!edits.wasOnceAndShared(reservation)) {
                        assertThat(edits.terms(reservation).stream()).as(where).allMatch(Terms::once);
                        assertThat(users).as(where).hasSizeLessThanOrEqualTo(1);
                    }
                }
                case FAILED ->
                    assertThat(over
                                    || edits.terms(reservation).isEmpty()
                                    || !scene.nodes().contains(status.nodeName()))
                            .as(where)
                            .isTrue();
            }
        }
    }

    /** In its status, or in an event where the status lists pods that Berth did not bind. */
    private void whatBerthServesNoLongerSaysSo(String where, Reservation reservation) {
        Status status = reservation.status();
        if (!status.available() || !status.writtenByBerth()) {
            return;
        }
        boolean own = status.saysPlaceNotServed();
        assertThat(own || scene.subjectsOf("SchedulerNotServed").contains(reservation.toString()))
                .as(where)
                .isTrue();
        assertThat(own && edits.over(reservation))
                .as("%s: it looks kept after its end", where)
                .isFalse();
    }

    private List<Pod> users(Reservation reservation) {
        return scene.pods().stream()
                .filter(pod -> pod.nodeName().isPresent())
                .filter(pod -> pod.annotations().has(Claim.ANNOTATION, "reservation/" + reservation.uid()))
                .sorted(Comparator.comparing(Pod::uid))
                .toList();
    }

    private static Resources requests(List<Pod> pods) {
        Resources sum = Resources.NONE;
        for (Pod pod : pods) {
            sum = sum.plus(pod.shape().requests());
        }
        return sum;
    }

    /** But for the blockers that a refusal names: they depend on which reservation was decided on first. */
    private void nothingIsLeftToWrite(long seed, int step) {
        int writes = scene.writes;
        List<String> before = said();
        scene.restart();
        edits.afterRestart();
        assertThat(said())
                .as("seed %d, step %d: a restart finds everything said", seed, step)
                .isEqualTo(before);
        if (edits.none() && scene.reservations().stream().noneMatch(Reservation::pending)) {
            assertThat(scene.writes).as("seed %d, step %d", seed, step).isEqualTo(writes);
        }
    }

    private List<String> said() {
        return scene.reservations().stream()
                .map(it -> "%s: %s on %s, %s used by %s, %s"
                        .formatted(
                                it,
                                it.status().phase(),
                                it.status().nodeName(),
                                it.status().allocated(),
                                it.status().currentOwners(),
                                scene.conditions(it.name())))
                .toList();
    }
}
