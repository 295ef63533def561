package dev.berth.bench.holds;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.door.godel.GodelFact;
import dev.berth.core.door.godel.GodelReservation;
import dev.berth.core.door.koordinator.Reservation;
import dev.berth.core.fact.Fact;
import dev.berth.core.hold.Draw;

/** Loads with holds on one node that depend on deleted pods or on another hold. */
final class DependentHoldLoads {
    private static final Labels WEB = Labels.of("app", "web");
    private static final int MORE_ROOM = 100;

    private DependentHoldLoads() {}

    /** Pods on one node that request Reservations. */
    static void prepareReturningPods(LoopHarness loopHarness, int size) throws InterruptedException {
        loopHarness.sendFact(new Fact.NodeUpserted(BenchmarkObjects.node(0, size + MORE_ROOM)));
        for (int i = 0; i < size; i++) {
            loopHarness.instantApiServer().create(returningPod(i));
        }
        loopHarness.markListed();
    }

    private static Pod returningPod(int number) {
        return BenchmarkObjects.pod("returns-" + number, WEB, BenchmarkObjects.returnRequestAnnotations("shop"))
                .boundTo(BenchmarkObjects.nodeName(0));
    }

    /**
     * All of them are deleted, and they are removed only after the last one: until then each of them backs its hold.
     */
    static int deleteAll(LoopHarness loopHarness, int size) throws LoopHarness.TimeLimitExceeded, InterruptedException {
        for (int i = 0; i < size; i++) {
            loopHarness
                    .instantApiServer()
                    .create(returningPod(i).toBuilder().terminating(true).build());
        }
        loopHarness.awaitIdle();
        for (int i = 0; i < size; i++) {
            loopHarness.sendFact(new Fact.PodDeleted(returningPod(i).uid()));
        }
        loopHarness.awaitIdle();
        return size;
    }

    /** A shared Reservation with capacity for all return holds that will draw on it. */
    static void prepareSharedReservation(LoopHarness loopHarness, int size) throws InterruptedException {
        loopHarness.sendFact(new Fact.NodeUpserted(BenchmarkObjects.node(0, size + MORE_ROOM)));
        loopHarness.instantApiServer().create(shared(size));
        loopHarness.markListed();
    }

    private static Reservation shared(int pods) {
        return BenchmarkObjects.sharedReservation(0, pods, BenchmarkObjects.ownerByLabels(LabelSelector.of(WEB)));
    }

    static int drawAndRelease(LoopHarness loopHarness, int size)
            throws LoopHarness.TimeLimitExceeded, InterruptedException {
        Pod left = BenchmarkObjects.pod("left", WEB, BenchmarkObjects.returnKeyAnnotation("shop"));
        Draw draw = Draw.forSuccessorOf(left, shared(size).holdId());
        for (int i = 0; i < size; i++) {
            GodelReservation place = BenchmarkObjects.godelReservation(i, 0, "shop");
            loopHarness.sendFact(new GodelFact.ReservationUpserted(BenchmarkObjects.withDraw(place, draw)));
        }
        loopHarness.awaitIdle();
        for (int i = 0; i < size; i++) {
            loopHarness.sendFact(new GodelFact.ReservationDeleted(
                    BenchmarkObjects.godelReservation(i, 0, "shop").uid()));
        }
        loopHarness.awaitIdle();
        return size;
    }
}
