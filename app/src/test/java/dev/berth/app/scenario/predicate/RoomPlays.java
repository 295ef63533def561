package dev.berth.app.scenario.predicate;

import static dev.berth.app.scenario.stage.NodeText.aNode;
import static dev.berth.app.scenario.stage.PodText.aPod;

import dev.berth.app.scenario.stage.Play;
import dev.berth.app.scenario.stage.PodText;
import java.util.List;

/** Pods that want more or less room than there is. */
final class RoomPlays {
    private RoomPlays() {}

    private static Play onOne(String name, String offering) {
        return Play.that(name)
                .on(aNode("own").offering(offering))
                .lest("a kubelet throws the pod out for want of room, or the pod waits beside a machine with room");
    }

    /** A pod that another scheduler has put there. */
    private static PodText foreign(String name, String asking) {
        return aPod(name).asking(asking).spec("schedulerName: somebody-else").on("own");
    }

    private static PodText withInit(String name, String init, String main) {
        return aPod(name)
                .asking(main)
                .spec("initContainers: [{name: first, image: pause, resources: {requests: {%s}}}]".formatted(init));
    }

    private static PodText withSidecar(String name, String sidecar, String main) {
        return aPod(name)
                .asking(main)
                .spec("initContainers: [{name: side, image: pause, restartPolicy: Always, resources: {requests: {%s}}}]"
                        .formatted(sidecar));
    }

    static List<Play> plays() {
        return List.of(
                onOne("what is left is too little", "cpu=3, memory=3Gi")
                        .beside(aPod("first").asking("cpu=2, memory=2Gi").on("own"))
                        .comes(aPod("web").asking("cpu=2, memory=2Gi"))
                        .isRefused("1 Insufficient cpu, 1 Insufficient memory"),
                onOne("what is left is enough", "cpu=3, memory=3Gi")
                        .beside(aPod("first").asking("cpu=1, memory=1Gi").on("own"))
                        .comes(aPod("web").asking("cpu=2, memory=2Gi"))
                        .goesTo("own"),
                onOne("pods of other schedulers need room, too", "cpu=500m")
                        .beside(foreign("first", "cpu=200m"), foreign("second", "cpu=200m"))
                        .comes(aPod("web").asking("cpu=200m"))
                        .isRefused("1 Insufficient cpu"),
                Play.that("what a node keeps for itself is not given to pods")
                        .on(aNode("own").offering("cpu=4").allowing("cpu=3"))
                        .comes(aPod("web").asking("cpu=3500m"))
                        .isRefused("1 Insufficient cpu")
                        .lest("the machine's own programs starve"),
                onOne("disk that runs out", "ephemeral-storage=10Gi")
                        .beside(aPod("first").asking("ephemeral-storage=8Gi").on("own"))
                        .comes(aPod("web").asking("ephemeral-storage=4Gi"))
                        .isRefused("1 Insufficient ephemeral-storage"),
                onOne("a device that is taken", "example.com/gpu=1")
                        .beside(aPod("first").asking("example.com/gpu=1").on("own"))
                        .comes(aPod("web").asking("example.com/gpu=1"))
                        .isRefused("1 Insufficient example.com/gpu"),
                onOne("a device that no node has", "cpu=8")
                        .comes(aPod("web").asking("example.com/gpu=1"))
                        .isRefused("1 Insufficient example.com/gpu"),
                onOne("a device that is free", "example.com/gpu=2")
                        .beside(aPod("first").asking("example.com/gpu=1").on("own"))
                        .comes(aPod("web").asking("example.com/gpu=1"))
                        .goesTo("own"),
                onOne("no more pods than a node has slots for", "pods=1")
                        .beside(aPod("first").on("own"))
                        .comes(aPod("web"))
                        .isRefused("1 Too many pods"),
                onOne("an init container that needs more than the rest", "cpu=3")
                        .comes(withInit("web", "cpu: \"4\"", "cpu=1"))
                        .isRefused("1 Insufficient cpu"),
                onOne("an init container whose room the rest takes over", "cpu=3")
                        .comes(withInit("web", "cpu: \"2\"", "cpu=3"))
                        .goesTo("own"),
                onOne("a sidecar that needs room beside the rest", "cpu=3")
                        .comes(withSidecar("web", "cpu: \"2\"", "cpu=2"))
                        .isRefused("1 Insufficient cpu"));
    }
}
