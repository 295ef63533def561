package dev.berth.e2e.scenario.filters;

import static dev.berth.e2e.scenario.testcluster.NodeManifest.aNode;
import static dev.berth.e2e.scenario.testcluster.PodManifest.aPod;
import static dev.berth.e2e.scenario.testcluster.PodSpecYaml.doNotSchedule;
import static dev.berth.e2e.scenario.testcluster.PodSpecYaml.requiredNodeAffinity;
import static dev.berth.e2e.scenario.testcluster.PodSpecYaml.selector;
import static dev.berth.e2e.scenario.testcluster.PodSpecYaml.topologySpreadConstraints;

import dev.berth.e2e.scenario.testcluster.NodeManifest;
import dev.berth.e2e.scenario.testcluster.PlacementCase;
import dev.berth.e2e.scenario.testcluster.PodManifest;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Pods that must be spread. In names, {@code 2/0 1/1} are the pods on two nodes of one zone and two of another. */
final class SpreadFilterCases {
    static final String HOST = "kubernetes.io/hostname";
    private static final String FOO = selector("foo Exists");

    private SpreadFilterCases() {}

    static List<PlacementCase> cases() {
        return Stream.of(skews(), minDomains(), inclusion(), selectors())
                .flatMap(List::stream)
                .toList();
    }

    /** So many pods of the kind on each of the nodes a, b, c and d. */
    static List<PodManifest> matchingPods(int... counts) {
        List<PodManifest> crowd = new ArrayList<>();
        for (int node = 0; node < counts.length; node++) {
            String name = "abcd".substring(node, node + 1);
            for (int i = 0; i < counts[node]; i++) {
                crowd.add(aPod("there-%s%d".formatted(name, i)).labelled("foo=").on(name));
            }
        }
        return crowd;
    }

    private static NodeManifest inZone(String name, String zone) {
        return aNode(name).labelled("zone=" + zone);
    }

    private static PlacementCase onFour(String name) {
        return PlacementCase.named(name)
                .withNodes(inZone("a", "west"), inZone("b", "west"), inZone("c", "east"), inZone("d", "east"))
                .otherwise("more copies fail with one zone or machine than was allowed");
    }

    private static PodManifest foo(String... constraints) {
        return aPod("web").labelled("foo=").spec(topologySpreadConstraints(constraints));
    }

    private static List<PlacementCase> skews() {
        String notA = requiredNodeAffinity(selector(HOST + " NotIn [a]"));
        return List.of(
                onFour("1/1 0/1 over hosts: the empty one is left")
                        .withExistingPods(matchingPods(1, 1, 0, 1))
                        .withIncomingPod(foo(doNotSchedule(1, HOST, FOO, "")))
                        .expectNode("c"),
                onFour("2/0 0/1 over hosts by two: three are left")
                        .withExistingPods(matchingPods(2, 0, 0, 1))
                        .withIncomingPod(foo(doNotSchedule(2, HOST, FOO, "")))
                        .expectNode("b", "c", "d"),
                onFour("1/0 0/1 over hosts in the one zone where the pod may be")
                        .withExistingPods(matchingPods(1, 0, 0, 1))
                        .withIncomingPod(foo(doNotSchedule(1, HOST, FOO, ""))
                                .spec(requiredNodeAffinity(selector("zone In [west]"))))
                        .expectNode("b"),
                onFour("1/1 0/2 over hosts and zones: both leave one")
                        .withExistingPods(matchingPods(1, 1, 0, 2))
                        .withIncomingPod(foo(doNotSchedule(1, "zone", FOO, ""), doNotSchedule(1, HOST, FOO, "")))
                        .expectNode("c"),
                onFour("-/2 2/1 over hosts and zones: what the one leaves the other does not")
                        .withExistingPods(matchingPods(0, 2, 2, 1))
                        .withIncomingPod(foo(doNotSchedule(1, "zone", FOO, ""), doNotSchedule(1, HOST, FOO, ""))
                                .spec(notA))
                        .expectRefusal("1 node(s) didn't match Pod's node affinity/selector,"
                                + " 3 node(s) didn't match pod topology spread constraints"),
                PlacementCase.named("a node without the label that divides nodes is in no domain")
                        .withNodes(inZone("a", "west"), aNode("b"))
                        .withExistingPods(matchingPods(1))
                        .withIncomingPod(
                                foo(doNotSchedule(1, "zone", FOO, "")).spec("nodeSelector: {%s: b}".formatted(HOST)))
                        .expectRefusal("1 node(s) didn't match Pod's node affinity/selector,"
                                + " 1 node(s) didn't match pod topology spread constraints (missing required label)")
                        .otherwise("a copy is where nobody counts it"));
    }

    private static List<PlacementCase> minDomains() {
        String notA = requiredNodeAffinity(selector(HOST + " NotIn [a]"));
        return List.of(
                onFour("-/2 2/1 over hosts by two, of which four are wanted: only where one is")
                        .withExistingPods(matchingPods(0, 2, 2, 1))
                        .withIncomingPod(foo(doNotSchedule(2, HOST, FOO, "minDomains: 4"))
                                .spec(notA))
                        .expectNode("d"),
                onFour("-/2 2/1 over hosts by two, of which two are wanted: anywhere")
                        .withExistingPods(matchingPods(0, 2, 2, 1))
                        .withIncomingPod(foo(doNotSchedule(2, HOST, FOO, "minDomains: 2"))
                                .spec(notA))
                        .expectNode("b", "c", "d"),
                onFour("1/1 1/0 over zones by two, of which three are wanted: only where one is")
                        .withExistingPods(matchingPods(1, 1, 1))
                        .withIncomingPod(foo(doNotSchedule(2, "zone", FOO, "minDomains: 3")))
                        .expectNode("c", "d"),
                onFour("0/1 1/1 over zones by two, of which one is wanted: anywhere")
                        .withExistingPods(matchingPods(0, 1, 1, 1))
                        .withIncomingPod(foo(doNotSchedule(2, "zone", FOO, "minDomains: 1")))
                        .expectNode("a", "b", "c", "d"));
    }

    /** Of two nodes in a zone, some are not for everybody: c is not marked, or tainted. */
    private static List<PlacementCase> inclusion() {
        String marked = "nodeSelector: {mark: \"\"}";
        return List.of(
                onMarked("1/1 ~1~/1 over zones, counting only nodes where the pod may be", false)
                        .withExistingPods(matchingPods(1, 1, 1, 1))
                        .withIncomingPod(foo(doNotSchedule(1, "zone", FOO, "")).spec(marked))
                        .expectNode("d"),
                onMarked("1/0 ~1~/1 over zones, counting all nodes, wherever the pod may be", false)
                        .withExistingPods(matchingPods(1, 0, 1, 1))
                        .withIncomingPod(foo(doNotSchedule(1, "zone", FOO, "nodeAffinityPolicy: Ignore"))
                                .spec(requiredNodeAffinity(selector("mark In [\"\"]"))))
                        .expectNode("a", "b"),
                onTainted("1/1 ~1~/1 over zones, counting only nodes whose taints the pod tolerates")
                        .withExistingPods(matchingPods(1, 1, 1, 1))
                        .withIncomingPod(foo(doNotSchedule(1, "zone", FOO, "nodeTaintsPolicy: Honor")))
                        .expectNode("d"),
                onTainted("1/1 ~1~/1 over zones, counting all nodes, whatever their taints")
                        .withExistingPods(matchingPods(1, 1, 1, 1))
                        .withIncomingPod(foo(doNotSchedule(1, "zone", FOO, "")))
                        .expectNode("a", "b", "d"),
                onMarked("1/~1~ ~1~/1 over zones and hosts, both by what the pod may, neither by taints", true)
                        .withExistingPods(matchingPods(1, 1, 1, 1))
                        .withIncomingPod(foo(doNotSchedule(1, "zone", FOO, ""), doNotSchedule(1, HOST, FOO, ""))
                                .spec(marked))
                        .expectNode("d"),
                onMarked("1/~1~ ~1~/1 over zones by nothing and over hosts by both", true)
                        .withExistingPods(matchingPods(1, 1, 1, 1))
                        .withIncomingPod(foo(
                                        doNotSchedule(1, "zone", FOO, "nodeAffinityPolicy: Ignore"),
                                        doNotSchedule(1, HOST, FOO, "nodeTaintsPolicy: Honor"))
                                .spec(marked))
                        .expectNode("a", "d"));
    }

    private static PlacementCase onMarked(String name, boolean taintB) {
        NodeManifest b = inZone("b", "west").labelled("mark=");
        return PlacementCase.named(name)
                .withNodes(
                        inZone("a", "west").labelled("mark="),
                        taintB ? b.tainted("own", "", "NoSchedule") : b,
                        inZone("c", "east"),
                        inZone("d", "east").labelled("mark="))
                .otherwise("nodes count that were to be left out, or do not that were to be counted");
    }

    private static PlacementCase onTainted(String name) {
        return PlacementCase.named(name)
                .withNodes(
                        inZone("a", "west"),
                        inZone("b", "west"),
                        inZone("c", "east").tainted("own", "", "NoSchedule"),
                        inZone("d", "east"))
                .otherwise("nodes count that were to be left out, or do not that were to be counted");
    }

    private static List<PlacementCase> selectors() {
        return List.of(
                onFour("of 1/1 1/0 only the one in the east is of the pod's version")
                        .withExistingPods(matchingPods(1, 1))
                        .withExistingPods(aPod("same").labelled("foo=, bar=").on("c"))
                        .withIncomingPod(foo(doNotSchedule(1, "zone", FOO, "matchLabelKeys: [bar]"))
                                .labelled("bar="))
                        .expectNode("a", "b"),
                onFour("1/1 1/0 over zones, told apart by a key alone")
                        .withExistingPods(matchingPods(1, 1, 1))
                        .withIncomingPod(foo(doNotSchedule(1, "zone", "{}", "matchLabelKeys: [foo]")))
                        .expectNode("c", "d"));
    }
}
