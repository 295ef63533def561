package dev.berth.e2e.scenario.filters;

import static dev.berth.e2e.scenario.testcluster.NodeManifest.aNode;
import static dev.berth.e2e.scenario.testcluster.PodManifest.aPod;

import dev.berth.e2e.scenario.testcluster.PlacementCase;
import dev.berth.e2e.scenario.testcluster.PodManifest;
import java.util.List;

/** Pods that want more or less room than there is. */
final class ResourceCases {
    private ResourceCases() {}

    private static PlacementCase onOne(String name, String offering) {
        return PlacementCase.named(name)
                .withNodes(aNode("own").offering(offering))
                .otherwise(
                        "a kubelet throws the pod out for want of room, or the pod waits beside a machine with room");
    }

    /** A pod that another scheduler has put there. */
    private static PodManifest foreign(String name, String asking) {
        return aPod(name).asking(asking).spec("schedulerName: somebody-else").on("own");
    }

    private static PodManifest withInit(String name, String init, String main) {
        return aPod(name)
                .asking(main)
                .spec("initContainers: [{name: first, image: pause, resources: {requests: {%s}}}]".formatted(init));
    }

    private static PodManifest withSidecar(String name, String sidecar, String main) {
        return aPod(name)
                .asking(main)
                .spec("initContainers: [{name: side, image: pause, restartPolicy: Always, resources: {requests: {%s}}}]"
                        .formatted(sidecar));
    }

    static List<PlacementCase> cases() {
        return List.of(
                onOne("what is left is too little", "cpu=3, memory=3Gi")
                        .withExistingPods(
                                aPod("first").asking("cpu=2, memory=2Gi").on("own"))
                        .withIncomingPod(aPod("web").asking("cpu=2, memory=2Gi"))
                        .expectRefusal("1 Insufficient cpu, 1 Insufficient memory"),
                onOne("what is left is enough", "cpu=3, memory=3Gi")
                        .withExistingPods(
                                aPod("first").asking("cpu=1, memory=1Gi").on("own"))
                        .withIncomingPod(aPod("web").asking("cpu=2, memory=2Gi"))
                        .expectNode("own"),
                onOne("pods of other schedulers need room, too", "cpu=500m")
                        .withExistingPods(foreign("first", "cpu=200m"), foreign("second", "cpu=200m"))
                        .withIncomingPod(aPod("web").asking("cpu=200m"))
                        .expectRefusal("1 Insufficient cpu"),
                PlacementCase.named("what a node keeps for itself is not given to pods")
                        .withNodes(aNode("own").offering("cpu=4").allowing("cpu=3"))
                        .withIncomingPod(aPod("web").asking("cpu=3500m"))
                        .expectRefusal("1 Insufficient cpu")
                        .otherwise("the machine's own programs starve"),
                onOne("disk that runs out", "ephemeral-storage=10Gi")
                        .withExistingPods(
                                aPod("first").asking("ephemeral-storage=8Gi").on("own"))
                        .withIncomingPod(aPod("web").asking("ephemeral-storage=4Gi"))
                        .expectRefusal("1 Insufficient ephemeral-storage"),
                onOne("a device that is taken", "example.com/gpu=1")
                        .withExistingPods(
                                aPod("first").asking("example.com/gpu=1").on("own"))
                        .withIncomingPod(aPod("web").asking("example.com/gpu=1"))
                        .expectRefusal("1 Insufficient example.com/gpu"),
                onOne("a device that no node has", "cpu=8")
                        .withIncomingPod(aPod("web").asking("example.com/gpu=1"))
                        .expectRefusal("1 Insufficient example.com/gpu"),
                onOne("a device that is free", "example.com/gpu=2")
                        .withExistingPods(
                                aPod("first").asking("example.com/gpu=1").on("own"))
                        .withIncomingPod(aPod("web").asking("example.com/gpu=1"))
                        .expectNode("own"),
                onOne("no more pods than a node has slots for", "pods=1")
                        .withExistingPods(aPod("first").on("own"))
                        .withIncomingPod(aPod("web"))
                        .expectRefusal("1 Too many pods"),
                onOne("an init container that needs more than the rest", "cpu=3")
                        .withIncomingPod(withInit("web", "cpu: \"4\"", "cpu=1"))
                        .expectRefusal("1 Insufficient cpu"),
                onOne("an init container whose room the rest takes over", "cpu=3")
                        .withIncomingPod(withInit("web", "cpu: \"2\"", "cpu=3"))
                        .expectNode("own"),
                onOne("a sidecar that needs room beside the rest", "cpu=3")
                        .withIncomingPod(withSidecar("web", "cpu: \"2\"", "cpu=2"))
                        .expectRefusal("1 Insufficient cpu"));
    }
}
