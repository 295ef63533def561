package dev.berth.core.door.koordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.testing.SchedulerScene.ServerMode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Lets {@link RandomHistory} come to rest. Then the statuses say what the pods say, and a restart changes nothing. */
final class HistoryCalmChecker {
    /** Longer than the wait for the answer to a write. */
    private static final Duration LONGER_THAN_ANY_TIMEOUT = Duration.ofMinutes(6);
    /** Long enough for a refused pod or Reservation to be tried again. */
    private static final Duration A_BACK_OFF = Duration.ofSeconds(15);
    /** So long nothing changes before the cluster counts as calm: what waits for a change may be in its back-off. */
    private static final int QUIET_ROUNDS = 4;

    private static final int MOST_ROUNDS = 150;

    private final RandomHistory history;
    private final KoordinatorScene scene;
    private final ShownUse use;
    private final Set<String> seenLate = new HashSet<>();

    HistoryCalmChecker(RandomHistory history) {
        this.history = history;
        this.scene = history.scene;
        this.use = new ShownUse(scene);
    }

    /** Everything is answered, victims leave, finalizers are done, and enough time passes. */
    void calm(String where) {
        scene.delayAnswers(false).setServerMode(ServerMode.ACCEPTING);
        leave();
        if (history.random.nextBoolean()) {
            history.restart();
        }
        scene.advance(LONGER_THAN_ANY_TIMEOUT).advance(LONGER_THAN_ANY_TIMEOUT);
        List<String> before = List.of();
        int quiet = 0;
        for (int round = 0; quiet < QUIET_ROUNDS; round++) {
            assertThat(round).as("%s: rounds without rest: %s", where, before).isLessThan(MOST_ROUNDS);
            leave();
            scene.advance(A_BACK_OFF);
            List<String> now = shown();
            quiet = now.equals(before) ? quiet + 1 : 0;
            before = now;
        }
    }

    private void leave() {
        scene.pods().stream().filter(Pod::terminating).forEach(scene::delete);
        scene.reservations().stream()
                .filter(Reservation::terminating)
                .forEach(it -> scene.deleteReservation(it.name()));
    }

    private List<String> shown() {
        List<String> shown = new ArrayList<>(statuses());
        scene.pods()
                .forEach(pod -> shown.add("%s on %s, nominated %s, terminating %s"
                        .formatted(pod.uid(), pod.nodeName(), pod.nominatedNodeName(), pod.terminating())));
        return shown;
    }

    private List<String> statuses() {
        return scene.reservations().stream()
                .map(it -> "%s: %s on %s, %s of %s used by %s, nominated %s, %s"
                        .formatted(
                                it,
                                it.status().phase(),
                                it.status().nodeName(),
                                it.status().allocated(),
                                it.status().allocatable(),
                                it.status().currentOwners(),
                                it.status().nominatedNode(),
                                new TreeSet<>(Set.of(scene.conditions(it.name()).split(" ")))))
                .toList();
    }

    void check(String where) {
        for (Reservation reservation : scene.reservations()) {
            check("%s, %s".formatted(where, reservation), reservation, reservation.status());
        }
        checkNominations(where);
        checkRestart(where);
    }

    private void check(String where, Reservation reservation, ReservationStatus status) {
        boolean over = seenLate(reservation);
        boolean once = reservation.spec().orElseThrow().allocateOnce();
        List<Pod> users = use.presentUsers(reservation);
        switch (status.phase()) {
            case PENDING -> {
                assertThat(over).as(where).isFalse();
                assertThat(scene.conditions(reservation.name())).as(where).contains("Scheduled=false");
                assertThat(scene.ledger().hold(reservation.holdId())).as(where).isEmpty();
            }
            case AVAILABLE -> {
                assertThat(over).as(where).isFalse();
                if (scene.conditions(reservation.name()).contains("Ready=false/NodeDeleted")) {
                    assertThat(scene.ledger().hold(reservation.holdId()))
                            .as(where)
                            .isEmpty();
                    return;
                }
                assertThat(status.currentOwners())
                        .as(where)
                        .isEqualTo(users.stream().map(CurrentOwner::of).toList());
                assertThat(status.allocated())
                        .as(where)
                        .isEqualTo(ShownUse.requests(users).inDimensionsOf(status.allocatable()));
                if (once && !history.ambiguous.contains(reservation.name())) {
                    assertThat(use.users(reservation)).as(where).isEmpty();
                }
                history.checkSize(where, reservation, users);
            }
            case SUCCEEDED ->
                assertThat(once || history.ambiguous.contains(reservation.name()))
                        .as(where)
                        .isTrue();
            case FAILED ->
                assertThat(over || status.endedWithItsNode()).as(where).isTrue();
        }
    }

    /** Once it was late it does not come back, whatever its deadline is changed to. */
    private boolean seenLate(Reservation reservation) {
        Instant end = reservation.spec().flatMap(ReservationSpec::deadline).orElse(Instant.MAX);
        if (!end.isAfter(scene.clock.instant())) {
            seenLate.add(reservation.name());
        }
        return seenLate.contains(reservation.name());
    }

    /** Called after each step. */
    void noteTime() {
        scene.reservations().forEach(this::seenLate);
    }

    /** A nominated node is in the status of a Reservation exactly while capacity is held for it. */
    private void checkNominations(String where) {
        for (Reservation reservation : scene.reservations()) {
            boolean held = scene.ledger()
                    .hold(new HoldId("preemption/koordinator/" + reservation.uid()))
                    .isPresent();
            assertThat(!reservation.status().nominatedNode().isEmpty())
                    .as("%s: nominated node of %s", where, reservation)
                    .isEqualTo(held);
            assertThat(held && !reservation.pending())
                    .as("%s: nomination of %s, which is not pending", where, reservation)
                    .isFalse();
        }
    }

    private void checkRestart(String where) {
        List<String> shown = shown();
        List<String> amounts = amounts();
        history.restart();
        assertThat(shown()).as("%s: what a restart shows", where).isEqualTo(shown);
        assertThat(amounts()).as("%s: the ledger after a restart", where).isEqualTo(amounts);
        if (amounts.stream().anyMatch(it -> it.contains("claims [C"))) {
            history.cases.count(HistoryCase.RESTARTED_WITH_CLAIMS);
        }
    }

    private List<String> amounts() {
        Stream<String> nodes = scene.nodeNames().stream().map(name -> {
            NodeState state = scene.ledger().node(name).orElseThrow();
            return "%s: used %s, outstanding %s, free %s"
                    .formatted(name, state.used(), state.outstanding(), state.free());
        });
        Stream<String> holds = scene.ledger().facts().holds().stream()
                .map(hold -> scene.ledger().holdState(hold.id()).orElseThrow())
                .map(hold -> "%s on %s: %s, left %s, claims %s, backers %s"
                        .formatted(
                                hold.hold().id(),
                                hold.nodeName(),
                                hold.hold().size(),
                                hold.outstanding(),
                                hold.claims(),
                                hold.hold().backers()));
        return Stream.concat(nodes, holds).toList();
    }
}
