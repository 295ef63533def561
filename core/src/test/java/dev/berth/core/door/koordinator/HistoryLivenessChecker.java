package dev.berth.core.door.koordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Pod;
import dev.berth.core.door.koordinator.preallocation.PreAllocation;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.HoldId;
import dev.berth.core.placement.HoldUse;
import dev.berth.core.placement.Placement;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.reference.ReferencePlacer;
import dev.berth.core.testing.PodBuilder;
import java.util.Optional;

/** Whether what waits at rest fits nowhere, and the next decisions are those of the slow placer. */
final class HistoryLivenessChecker {
    private final RandomHistory history;
    private final KoordinatorScene scene;

    HistoryLivenessChecker(RandomHistory history) {
        this.history = history;
        this.scene = history.scene;
    }

    void check(String where) {
        ReferencePlacer placer = new ReferencePlacer(scene.ledger(), ScoreWeights.DEFAULT);
        for (Pod pod : scene.pods()) {
            if (pod.nodeName().isEmpty()) {
                assertThat(placer.place(pod, HoldUse.PREFERRED))
                        .as("%s: where %s fits, which waits", where, pod.name())
                        .isInstanceOf(Placement.Refused.class);
                history.cases.count(
                        pod.spec().reservations().areRequired()
                                ? HistoryCase.POD_WITH_AFFINITY_WAITS
                                : HistoryCase.POD_WAITS);
            }
        }
        for (Reservation reservation : scene.reservations()) {
            if (reservation.pending() && !requiresPod(reservation)) {
                assertThat(placer.place(requestOf(reservation), HoldUse.NONE))
                        .as("%s: where %s fits, which waits", where, reservation)
                        .isInstanceOf(Placement.Refused.class);
                history.cases.count(HistoryCase.RESERVATION_WAITS);
            }
        }
        checkNextPod(where);
        checkNextReservation(where);
    }

    private static boolean requiresPod(Reservation reservation) {
        return reservation
                .spec()
                .orElseThrow()
                .preAllocation()
                .filter(PreAllocation::required)
                .isPresent();
    }

    private static Pod requestOf(Reservation reservation) {
        return reservation.reservePod(reservation.spec().orElseThrow());
    }

    private void checkNextPod(String where) {
        PodBuilder next = history.objects.pod();
        Pod pod = next.with(it -> it.schedulerName(KoordinatorScene.SCHEDULER)).build();
        Placement expected = new ReferencePlacer(scene.ledger(), ScoreWeights.DEFAULT).place(pod, HoldUse.PREFERRED);
        scene.upsert(next);
        Pod decided = scene.pod(pod.name());
        Optional<HoldId> hold = expected instanceof Placement.Placed placed ? placed.hold() : Optional.empty();
        assertThat(decided.nodeName()).as("%s: node of %s", where, pod.name()).isEqualTo(nodeOf(expected));
        assertThat(decided.annotations().get(Claim.ANNOTATION))
                .as("%s: hold of %s", where, pod.name())
                .isEqualTo(hold.map(HoldId::value));
        history.cases.count(
                hold.isPresent()
                        ? HistoryCase.NEXT_POD_USES_HOLD
                        : nodeOf(expected).isPresent()
                                ? HistoryCase.NEXT_POD_PLACED_FREELY
                                : HistoryCase.NEXT_POD_REFUSED);
    }

    /** A Reservation that takes over no running pods. */
    private void checkNextReservation(String where) {
        ReservationBuilder next = history.objects.reservation();
        Reservation wanted = next.build("");
        if (wanted.spec().orElseThrow().preAllocation().isPresent()) {
            return;
        }
        Placement expected =
                new ReferencePlacer(scene.ledger(), ScoreWeights.DEFAULT).place(requestOf(wanted), HoldUse.NONE);
        history.create(next);
        assertThat(scene.status(wanted.name()).nodeName())
                .as("%s: node of %s", where, wanted)
                .isEqualTo(nodeOf(expected).orElse(""));
        history.cases.count(
                nodeOf(expected).isPresent()
                        ? HistoryCase.NEXT_RESERVATION_PLACED
                        : HistoryCase.NEXT_RESERVATION_REFUSED);
    }

    private static Optional<String> nodeOf(Placement placement) {
        return placement instanceof Placement.Placed placed ? Optional.of(placed.nodeName()) : Optional.empty();
    }
}
