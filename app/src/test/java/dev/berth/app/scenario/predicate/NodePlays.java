package dev.berth.app.scenario.predicate;

import static dev.berth.app.scenario.stage.NodeText.aNode;
import static dev.berth.app.scenario.stage.PodText.aPod;
import static dev.berth.app.scenario.stage.Terms.onNodes;
import static dev.berth.app.scenario.stage.Terms.where;

import dev.berth.app.scenario.stage.Play;
import java.util.List;

/** Pods that say on which nodes they may be. */
final class NodePlays {
    private NodePlays() {}

    private static String refused(int nodes) {
        return nodes + " node(s) didn't match Pod's node affinity/selector";
    }

    /** One node with a fast disk, one with a slow one, one that does not say. */
    private static Play onThree(String name) {
        return Play.that(name)
                .on(
                        aNode("fast").labelled("disk=ssd, slots=8"),
                        aNode("slow").labelled("disk=hdd, slots=2"),
                        aNode("none"))
                .lest("a pod runs on machines that it was told to avoid, or waits beside those that it asked for");
    }

    static List<Play> plays() {
        return List.of(
                onThree("a value that is in the list")
                        .comes(aPod("web").spec(onNodes(where("disk In [ssd]"))))
                        .goesTo("fast"),
                onThree("a value that no node has")
                        .comes(aPod("web").spec(onNodes(where("disk In [tape]"))))
                        .isRefused(refused(3)),
                onThree("a value that is not in the list, or none")
                        .comes(aPod("web").spec(onNodes(where("disk NotIn [ssd]"))))
                        .goesTo("slow", "none"),
                onThree("values that leave out all nodes")
                        .comes(aPod("web").spec(onNodes(where("kubernetes.io/hostname NotIn [fast, slow, none]"))))
                        .isRefused(refused(3)),
                onThree("a label that is there")
                        .comes(aPod("web").spec(onNodes(where("disk Exists"))))
                        .goesTo("fast", "slow"),
                onThree("a label that is not there")
                        .comes(aPod("web").spec(onNodes(where("disk DoesNotExist"))))
                        .goesTo("none"),
                onThree("a label that is everywhere and must not be")
                        .comes(aPod("web").spec(onNodes(where("kubernetes.io/hostname DoesNotExist"))))
                        .isRefused(refused(3)),
                onThree("a number that is greater")
                        .comes(aPod("web").spec(onNodes(where("slots Gt [\"4\"]"))))
                        .goesTo("fast"),
                onThree("a number that is less")
                        .comes(aPod("web").spec(onNodes(where("slots Lt [\"4\"]"))))
                        .goesTo("slow"),
                onThree("a label and a name")
                        .comes(aPod("web")
                                .spec(onNodes("{%s, matchFields: [%s]}"
                                        .formatted(
                                                "matchExpressions: [{key: disk, operator: Exists}]",
                                                "{key: metadata.name, operator: In, values: [slow]}"))))
                        .goesTo("slow"),
                onThree("a name that no node has")
                        .comes(aPod("web")
                                .spec(onNodes("{matchFields: [{key: metadata.name, operator: In, values: [nobody]}]}")))
                        .isRefused("3 node(s) didn't satisfy plugin(s) [NodeAffinity]"),
                onThree("either of two terms")
                        .comes(aPod("web").spec(onNodes(where("disk In [tape]"), where("slots In [\"2\"]"))))
                        .goesTo("slow"),
                onThree("all of one term")
                        .comes(aPod("web").spec(onNodes(where("disk In [ssd]", "slots In [\"2\"]"))))
                        .isRefused(refused(3)),
                onThree("a selector and a term")
                        .comes(aPod("web").spec(onNodes(where("disk Exists"))).spec("nodeSelector: {slots: \"2\"}"))
                        .goesTo("slow"));
    }
}
