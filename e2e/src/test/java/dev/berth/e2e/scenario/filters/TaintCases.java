package dev.berth.e2e.scenario.filters;

import static dev.berth.e2e.scenario.testcluster.NodeManifest.aNode;
import static dev.berth.e2e.scenario.testcluster.PodManifest.aPod;

import dev.berth.e2e.scenario.testcluster.NodeManifest;
import dev.berth.e2e.scenario.testcluster.PlacementCase;
import dev.berth.e2e.scenario.testcluster.PodManifest;
import java.util.List;
import java.util.stream.Stream;

/** Pods and nodes that not everybody may be on: taints, cordons and what nodes say that they cannot do. */
final class TaintCases {
    private static final String UNTOLERATED = "1 node(s) had untolerated taint(s)";
    private static final String FIRST = "{key: example.com/first, value: a, effect: NoSchedule}";
    private static final String SECOND = "{key: example.com/second, value: b, effect: NoSchedule}";

    private TaintCases() {}

    static List<PlacementCase> cases() {
        return Stream.of(tolerations(), operators(), cordons(), features())
                .flatMap(List::stream)
                .toList();
    }

    private static NodeManifest tainted() {
        return aNode("own").tainted("example.com/first", "a", "NoSchedule");
    }

    private static NodeManifest taintedTwice() {
        return tainted().tainted("example.com/second", "b", "NoSchedule");
    }

    private static PodManifest tolerating(String... tolerations) {
        return aPod("web").spec("tolerations: [%s]".formatted(String.join(", ", tolerations)));
    }

    private static List<PlacementCase> tolerations() {
        return List.of(
                PlacementCase.named("a taint keeps a pod away that does not tolerate it")
                        .withNodes(tainted())
                        .withIncomingPod(aPod("web"))
                        .expectRefusal(UNTOLERATED)
                        .otherwise("anybody lands on machines that are somebody's own"),
                PlacementCase.named("a pod that tolerates the taint is let in")
                        .withNodes(tainted())
                        .withIncomingPod(tolerating(FIRST))
                        .expectNode("own")
                        .otherwise("machines stay empty that are kept for the pod"),
                PlacementCase.named("one toleration is not enough for two taints")
                        .withNodes(taintedTwice())
                        .withIncomingPod(tolerating(FIRST))
                        .expectRefusal(UNTOLERATED)
                        .otherwise("the second taint of a machine means nothing"),
                PlacementCase.named("two tolerations are enough for two taints")
                        .withNodes(taintedTwice())
                        .withIncomingPod(tolerating(FIRST, SECOND))
                        .expectNode("own")
                        .otherwise("machines stay empty that are kept for the pod"),
                PlacementCase.named("more tolerations than taints do no harm")
                        .withNodes(tainted())
                        .withIncomingPod(tolerating(FIRST, SECOND))
                        .expectNode("own")
                        .otherwise("machines stay empty that are kept for the pod"),
                PlacementCase.named("a pod with a toleration may be where no taint is")
                        .withNodes(aNode("any"))
                        .withIncomingPod(tolerating(FIRST))
                        .expectNode("any")
                        .otherwise("tolerating is taken for wanting"));
    }

    private static List<PlacementCase> operators() {
        return List.of(
                PlacementCase.named("another value is not tolerated")
                        .withNodes(tainted())
                        .withIncomingPod(tolerating("{key: example.com/first, value: b, effect: NoSchedule}"))
                        .expectRefusal(UNTOLERATED)
                        .otherwise("team b lands on the machines of team a"),
                PlacementCase.named("another effect is not tolerated")
                        .withNodes(aNode("own").tainted("example.com/first", "a", "NoExecute"))
                        .withIncomingPod(tolerating(FIRST))
                        .expectRefusal(UNTOLERATED)
                        .otherwise("a pod is placed where it is driven out at once"),
                PlacementCase.named("a toleration without effect is for all effects")
                        .withNodes(aNode("own").tainted("example.com/first", "a", "NoExecute"))
                        .withIncomingPod(tolerating("{key: example.com/first, value: a}"))
                        .expectNode("own")
                        .otherwise("machines stay empty that are kept for the pod"),
                PlacementCase.named("a toleration of whatever value")
                        .withNodes(tainted())
                        .withIncomingPod(tolerating("{key: example.com/first, operator: Exists}"))
                        .expectNode("own")
                        .otherwise("machines stay empty that are kept for the pod"),
                PlacementCase.named("a toleration of everything")
                        .withNodes(taintedTwice().tainted("example.com/third", "", "NoExecute"))
                        .withIncomingPod(tolerating("{operator: Exists}"))
                        .expectNode("own")
                        .otherwise("what must run on every machine does not"),
                PlacementCase.named("a taint that only advises keeps nobody away")
                        .withNodes(aNode("own").tainted("example.com/first", "a", "PreferNoSchedule"))
                        .withIncomingPod(aPod("web"))
                        .expectNode("own")
                        .otherwise("advice is taken for an order"));
    }

    private static List<PlacementCase> cordons() {
        String toleration = "{key: node.kubernetes.io/unschedulable, operator: Exists, effect: NoSchedule}";
        return List.of(
                PlacementCase.named("a cordoned node takes nobody")
                        .withNodes(aNode("own").spec("unschedulable: true"))
                        .withIncomingPod(aPod("web"))
                        .expectRefusal("1 node(s) were unschedulable")
                        .otherwise("a machine that is being emptied fills up again"),
                PlacementCase.named("a pod goes to the node that is not cordoned")
                        .withNodes(aNode("own").spec("unschedulable: true"), aNode("other"))
                        .withIncomingPod(aPod("web"))
                        .expectNode("other")
                        .otherwise("a machine that is being emptied fills up again"),
                PlacementCase.named("a cordoned node takes a pod that tolerates it")
                        .withNodes(aNode("own").spec("unschedulable: true"))
                        .withIncomingPod(tolerating(toleration))
                        .expectNode("own")
                        .otherwise("what must run on every machine is missing on cordoned ones"));
    }

    /** Of what 1.36 infers from pods, the restart of all containers is on by default. */
    private static List<PlacementCase> features() {
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
                PlacementCase.named("a pod that needs no feature is where none is")
                        .withNodes(aNode("old"))
                        .withIncomingPod(aPod("web"))
                        .expectNode("old")
                        .otherwise("nodes of an older version stay empty"),
                PlacementCase.named("a pod that needs no feature is where one is")
                        .withNodes(aNode("new").status(declared))
                        .withIncomingPod(aPod("web"))
                        .expectNode("new")
                        .otherwise("nodes of a newer version stay empty"),
                PlacementCase.named("a pod goes where the feature is that it needs")
                        .withNodes(aNode("new").status(declared), aNode("odd").status(other))
                        .withIncomingPod(aPod("web").spec(needing))
                        .expectNode("new")
                        .otherwise("a kubelet does not know what the pod asks of it"),
                PlacementCase.named("a pod goes where the feature is among others")
                        .withNodes(aNode("new").status(several), aNode("old"))
                        .withIncomingPod(aPod("web").spec(needing))
                        .expectNode("new")
                        .otherwise("a kubelet does not know what the pod asks of it"),
                PlacementCase.named("a pod waits where nobody has the feature that it needs")
                        .withNodes(aNode("odd").status(other))
                        .withIncomingPod(aPod("web").spec(needing))
                        .expectRefusal("1 node(s) didn't match Pod's required features")
                        .otherwise("a kubelet does not know what the pod asks of it"));
    }
}
