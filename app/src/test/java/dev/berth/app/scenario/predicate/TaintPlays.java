package dev.berth.app.scenario.predicate;

import static dev.berth.app.scenario.stage.NodeText.aNode;
import static dev.berth.app.scenario.stage.PodText.aPod;

import dev.berth.app.scenario.stage.NodeText;
import dev.berth.app.scenario.stage.Play;
import dev.berth.app.scenario.stage.PodText;
import java.util.List;
import java.util.stream.Stream;

/** Pods and nodes that not everybody may be on: taints, cordons and what nodes say that they cannot do. */
final class TaintPlays {
    private static final String UNTOLERATED = "1 node(s) had untolerated taint(s)";
    private static final String FIRST = "{key: example.com/first, value: a, effect: NoSchedule}";
    private static final String SECOND = "{key: example.com/second, value: b, effect: NoSchedule}";

    private TaintPlays() {}

    static List<Play> plays() {
        return Stream.of(tolerations(), operators(), cordons(), features())
                .flatMap(List::stream)
                .toList();
    }

    private static NodeText tainted() {
        return aNode("own").tainted("example.com/first", "a", "NoSchedule");
    }

    private static NodeText taintedTwice() {
        return tainted().tainted("example.com/second", "b", "NoSchedule");
    }

    private static PodText tolerating(String... tolerations) {
        return aPod("web").spec("tolerations: [%s]".formatted(String.join(", ", tolerations)));
    }

    private static List<Play> tolerations() {
        return List.of(
                Play.that("a taint keeps a pod away that does not tolerate it")
                        .on(tainted())
                        .comes(aPod("web"))
                        .isRefused(UNTOLERATED)
                        .lest("anybody lands on machines that are somebody's own"),
                Play.that("a pod that tolerates the taint is let in")
                        .on(tainted())
                        .comes(tolerating(FIRST))
                        .goesTo("own")
                        .lest("machines stay empty that are kept for the pod"),
                Play.that("one toleration is not enough for two taints")
                        .on(taintedTwice())
                        .comes(tolerating(FIRST))
                        .isRefused(UNTOLERATED)
                        .lest("the second taint of a machine means nothing"),
                Play.that("two tolerations are enough for two taints")
                        .on(taintedTwice())
                        .comes(tolerating(FIRST, SECOND))
                        .goesTo("own")
                        .lest("machines stay empty that are kept for the pod"),
                Play.that("more tolerations than taints do no harm")
                        .on(tainted())
                        .comes(tolerating(FIRST, SECOND))
                        .goesTo("own")
                        .lest("machines stay empty that are kept for the pod"),
                Play.that("a pod with a toleration may be where no taint is")
                        .on(aNode("any"))
                        .comes(tolerating(FIRST))
                        .goesTo("any")
                        .lest("tolerating is taken for wanting"));
    }

    private static List<Play> operators() {
        return List.of(
                Play.that("another value is not tolerated")
                        .on(tainted())
                        .comes(tolerating("{key: example.com/first, value: b, effect: NoSchedule}"))
                        .isRefused(UNTOLERATED)
                        .lest("team b lands on the machines of team a"),
                Play.that("another effect is not tolerated")
                        .on(aNode("own").tainted("example.com/first", "a", "NoExecute"))
                        .comes(tolerating(FIRST))
                        .isRefused(UNTOLERATED)
                        .lest("a pod is placed where it is driven out at once"),
                Play.that("a toleration without effect is for all effects")
                        .on(aNode("own").tainted("example.com/first", "a", "NoExecute"))
                        .comes(tolerating("{key: example.com/first, value: a}"))
                        .goesTo("own")
                        .lest("machines stay empty that are kept for the pod"),
                Play.that("a toleration of whatever value")
                        .on(tainted())
                        .comes(tolerating("{key: example.com/first, operator: Exists}"))
                        .goesTo("own")
                        .lest("machines stay empty that are kept for the pod"),
                Play.that("a toleration of everything")
                        .on(taintedTwice().tainted("example.com/third", "", "NoExecute"))
                        .comes(tolerating("{operator: Exists}"))
                        .goesTo("own")
                        .lest("what must run on every machine does not"),
                Play.that("a taint that only advises keeps nobody away")
                        .on(aNode("own").tainted("example.com/first", "a", "PreferNoSchedule"))
                        .comes(aPod("web"))
                        .goesTo("own")
                        .lest("advice is taken for an order"));
    }

    private static List<Play> cordons() {
        String toleration = "{key: node.kubernetes.io/unschedulable, operator: Exists, effect: NoSchedule}";
        return List.of(
                Play.that("a cordoned node takes nobody")
                        .on(aNode("own").spec("unschedulable: true"))
                        .comes(aPod("web"))
                        .isRefused("1 node(s) were unschedulable")
                        .lest("a machine that is being emptied fills up again"),
                Play.that("a pod goes to the node that is not cordoned")
                        .on(aNode("own").spec("unschedulable: true"), aNode("other"))
                        .comes(aPod("web"))
                        .goesTo("other")
                        .lest("a machine that is being emptied fills up again"),
                Play.that("a cordoned node takes a pod that tolerates it")
                        .on(aNode("own").spec("unschedulable: true"))
                        .comes(tolerating(toleration))
                        .goesTo("own")
                        .lest("what must run on every machine is missing on cordoned ones"));
    }

    /** Of what 1.36 infers from pods, the restart of all containers is on by default. */
    private static List<Play> features() {
        String needing = """
                restartPolicy: Never
                containers:
                - name: main
                  image: registry.k8s.io/pause
                  restartPolicy: Never
                  restartPolicyRules:
                  - {action: RestartAllContainers, exitCodes: {operator: In, values: [42]}}
                """;
        String declared = "declaredFeatures: [RestartAllContainersOnContainerExits]";
        String several = "declaredFeatures: [GuestThings, RestartAllContainersOnContainerExits]";
        String other = "declaredFeatures: [GuestThings]";
        return List.of(
                Play.that("a pod that needs no feature is where none is")
                        .on(aNode("old"))
                        .comes(aPod("web"))
                        .goesTo("old")
                        .lest("nodes of an older version stay empty"),
                Play.that("a pod that needs no feature is where one is")
                        .on(aNode("new").status(declared))
                        .comes(aPod("web"))
                        .goesTo("new")
                        .lest("nodes of a newer version stay empty"),
                Play.that("a pod goes where the feature is that it needs")
                        .on(aNode("new").status(declared), aNode("odd").status(other))
                        .comes(aPod("web").spec(needing))
                        .goesTo("new")
                        .lest("a kubelet does not know what the pod asks of it"),
                Play.that("a pod goes where the feature is among others")
                        .on(aNode("new").status(several), aNode("old"))
                        .comes(aPod("web").spec(needing))
                        .goesTo("new")
                        .lest("a kubelet does not know what the pod asks of it"),
                Play.that("a pod waits where nobody has the feature that it needs")
                        .on(aNode("odd").status(other))
                        .comes(aPod("web").spec(needing))
                        .isRefused("1 node(s) didn't match Pod's required features")
                        .lest("a kubelet does not know what the pod asks of it"));
    }
}
