package dev.berth.e2e.scenario.filters;

import static dev.berth.e2e.scenario.testcluster.NodeManifest.aNode;
import static dev.berth.e2e.scenario.testcluster.PodManifest.aPod;
import static dev.berth.e2e.scenario.testcluster.PodSpecYaml.requiredNodeAffinity;
import static dev.berth.e2e.scenario.testcluster.PodSpecYaml.selector;

import dev.berth.e2e.scenario.testcluster.PlacementCase;
import java.util.List;

/** Pods that say on which nodes they may be. */
final class NodeCases {
    private NodeCases() {}

    private static String refused(int nodes) {
        return nodes + " node(s) didn't match Pod's node affinity/selector";
    }

    /** One node with a fast disk, one with a slow one, one that does not say. */
    private static PlacementCase onThree(String name) {
        return PlacementCase.named(name)
                .withNodes(
                        aNode("fast").labelled("disk=ssd, slots=8"),
                        aNode("slow").labelled("disk=hdd, slots=2"),
                        aNode("none"))
                .otherwise("a pod runs on machines that it was told to avoid, or waits beside those that it asked for");
    }

    static List<PlacementCase> cases() {
        return List.of(
                onThree("a value that is in the list")
                        .withIncomingPod(aPod("web").spec(requiredNodeAffinity(selector("disk In [ssd]"))))
                        .expectNode("fast"),
                onThree("a value that no node has")
                        .withIncomingPod(aPod("web").spec(requiredNodeAffinity(selector("disk In [tape]"))))
                        .expectRefusal(refused(3)),
                onThree("a value that is not in the list, or none")
                        .withIncomingPod(aPod("web").spec(requiredNodeAffinity(selector("disk NotIn [ssd]"))))
                        .expectNode("slow", "none"),
                onThree("values that leave out all nodes")
                        .withIncomingPod(aPod("web")
                                .spec(requiredNodeAffinity(
                                        selector("kubernetes.io/hostname NotIn [fast, slow, none]"))))
                        .expectRefusal(refused(3)),
                onThree("a label that is there")
                        .withIncomingPod(aPod("web").spec(requiredNodeAffinity(selector("disk Exists"))))
                        .expectNode("fast", "slow"),
                onThree("a label that is not there")
                        .withIncomingPod(aPod("web").spec(requiredNodeAffinity(selector("disk DoesNotExist"))))
                        .expectNode("none"),
                onThree("a label that is everywhere and must not be")
                        .withIncomingPod(
                                aPod("web").spec(requiredNodeAffinity(selector("kubernetes.io/hostname DoesNotExist"))))
                        .expectRefusal(refused(3)),
                onThree("a number that is greater")
                        .withIncomingPod(aPod("web").spec(requiredNodeAffinity(selector("slots Gt [\"4\"]"))))
                        .expectNode("fast"),
                onThree("a number that is less")
                        .withIncomingPod(aPod("web").spec(requiredNodeAffinity(selector("slots Lt [\"4\"]"))))
                        .expectNode("slow"),
                onThree("a label and a name")
                        .withIncomingPod(aPod("web")
                                .spec(requiredNodeAffinity("{%s, matchFields: [%s]}"
                                        .formatted(
                                                "matchExpressions: [{key: disk, operator: Exists}]",
                                                "{key: metadata.name, operator: In, values: [slow]}"))))
                        .expectNode("slow"),
                onThree("a name that no node has")
                        .withIncomingPod(aPod("web")
                                .spec(requiredNodeAffinity(
                                        "{matchFields: [{key: metadata.name, operator: In, values: [nobody]}]}")))
                        .expectRefusal("3 node(s) didn't satisfy plugin(s) [NodeAffinity]"),
                onThree("either of two terms")
                        .withIncomingPod(aPod("web")
                                .spec(requiredNodeAffinity(selector("disk In [tape]"), selector("slots In [\"2\"]"))))
                        .expectNode("slow"),
                onThree("all of one term")
                        .withIncomingPod(
                                aPod("web").spec(requiredNodeAffinity(selector("disk In [ssd]", "slots In [\"2\"]"))))
                        .expectRefusal(refused(3)),
                onThree("a selector and a term")
                        .withIncomingPod(aPod("web")
                                .spec(requiredNodeAffinity(selector("disk Exists")))
                                .spec("nodeSelector: {slots: \"2\"}"))
                        .expectNode("slow"));
    }
}
