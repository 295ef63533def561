package dev.berth.bench.holds;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.decision.Fact;
import dev.berth.core.door.comeback.ComebackFact;
import dev.berth.core.door.comeback.Placeholder;
import dev.berth.core.door.reservation.Reservation;
import dev.berth.core.hold.Draw;

/** Loads of holds on one node that depend on pods that leave, or on another hold. */
final class LinkedLoads {
    private static final Labels WEB = Labels.of("app", "web");
    private static final int MORE_ROOM = 100;

    private LinkedLoads() {}

    /** Pods on one node that ask to be returned to. */
    static void returning(Stage stage, int size) throws InterruptedException {
        stage.tell(new Fact.NodeSeen(Objects.node(0, size + MORE_ROOM)));
        for (int i = 0; i < size; i++) {
            stage.api().create(returning(i));
        }
        stage.listed();
    }

    private static Pod returning(int number) {
        return Objects.pod("returns-" + number, WEB, Objects.asking("shop")).on(Objects.nodeName(0));
    }

    /** All of them are deleted, and all are gone once the last is: until then each of them backs its place. */
    static int leave(Stage stage, int size) throws Stage.TooSlow, InterruptedException {
        for (int i = 0; i < size; i++) {
            stage.api().create(returning(i).toBuilder().terminating(true).build());
        }
        stage.idle();
        for (int i = 0; i < size; i++) {
            stage.tell(new Fact.PodGone(returning(i).uid()));
        }
        stage.idle();
        return size;
    }

    /** A shared Reservation with room for all places that will draw on it. */
    static void sharedReservation(Stage stage, int size) throws InterruptedException {
        stage.tell(new Fact.NodeSeen(Objects.node(0, size + MORE_ROOM)));
        stage.api().create(shared(size));
        stage.listed();
    }

    private static Reservation shared(int pods) {
        return Objects.shared(0, pods, Objects.labelled(LabelSelector.of(WEB)));
    }

    static int drawnAndGivenBack(Stage stage, int size) throws Stage.TooSlow, InterruptedException {
        Pod left = Objects.pod("left", WEB, Objects.returning("shop"));
        Draw draw = Draw.forSuccessorOf(left, shared(size).holdId());
        for (int i = 0; i < size; i++) {
            Placeholder place = Objects.placeholder(i, 0, "shop");
            stage.tell(new ComebackFact.PlaceholderSeen(Objects.drawing(place, draw)));
        }
        stage.idle();
        for (int i = 0; i < size; i++) {
            stage.tell(new ComebackFact.PlaceholderGone(
                    Objects.placeholder(i, 0, "shop").uid()));
        }
        stage.idle();
        return size;
    }
}
