package dev.berth.bench.holds;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.decision.Fact;
import dev.berth.core.hold.Owner;
import java.util.function.IntFunction;

/** Loads of pods that have holds and that are too large for every node. */
final class RefusedLoads {
    private static final Labels WEB = Labels.of("app", "web");
    private static final int PODS_A_NODE = 2;
    private static final long TOO_LARGE = 400;

    private RefusedLoads() {}

    /** On each node a hold for all of the pods that come. */
    static void sharedHolds(Stage stage, int size) throws InterruptedException {
        holds(stage, size, number -> Objects.labelled(LabelSelector.of(WEB)));
    }

    /** On each node a hold for one of the pods that come. */
    static void namedHolds(Stage stage, int size) throws InterruptedException {
        holds(stage, size, number -> Objects.named(name(number)));
    }

    private static void holds(Stage stage, int size, IntFunction<Owner> owners) throws InterruptedException {
        for (int i = 0; i < size; i++) {
            stage.tell(new Fact.NodeSeen(Objects.node(i, PODS_A_NODE)));
            stage.tell(new Fact.HoldSeen(Objects.hold(i, i, owners.apply(i))));
        }
        stage.listed();
    }

    private static String name(int number) {
        return "large-" + number;
    }

    static int comeAndAreRefused(Stage stage, int size) throws Stage.TooSlow, InterruptedException {
        for (int i = 0; i < size; i++) {
            stage.api().create(Objects.pod(name(i), WEB, Labels.NONE, TOO_LARGE));
        }
        stage.until(() -> Loads.waiting(stage) == size);
        stage.idle();
        return size;
    }
}
