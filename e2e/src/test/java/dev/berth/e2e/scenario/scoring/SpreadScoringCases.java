package dev.berth.e2e.scenario.scoring;

import static dev.berth.e2e.scenario.testcluster.NodeManifest.aNode;
import static dev.berth.e2e.scenario.testcluster.PodManifest.aPod;
import static dev.berth.e2e.scenario.testcluster.PodSpecYaml.doNotSchedule;
import static dev.berth.e2e.scenario.testcluster.PodSpecYaml.scheduleAnyway;
import static dev.berth.e2e.scenario.testcluster.PodSpecYaml.selector;
import static dev.berth.e2e.scenario.testcluster.PodSpecYaml.topologySpreadConstraints;

import dev.berth.e2e.scenario.testcluster.PlacementCase;
import dev.berth.e2e.scenario.testcluster.PodManifest;
import java.util.ArrayList;
import java.util.List;

/**
 * Pods that should be spread. In names, {@code ~4~/0 1/2} are the pods on two nodes of one zone, of which the first does
 * not take the pod, and two of another.
 */
final class SpreadScoringCases {
    private static final String HOST = "kubernetes.io/hostname";
    private static final String FOO = selector("foo Exists");

    private SpreadScoringCases() {}

    static List<PlacementCase> cases() {
        String marked = "nodeSelector: {mark: \"\"}";
        return List.of(
                onFour("~0~/1 2/3 over hosts: the one with fewest")
                        .withExistingPods(matchingPods("foo=", 0, 1, 2, 3))
                        .withIncomingPod(foo(scheduleAnyway(1, HOST, FOO, "")))
                        .expectNode("b"),
                onFour("~4~/0 1/2 over hosts if possible and over zones by all means")
                        .withExistingPods(matchingPods("foo=", 4, 0, 1, 2))
                        .withIncomingPod(foo(scheduleAnyway(1, HOST, FOO, ""), doNotSchedule(1, "zone", FOO, "")))
                        .expectNode("c"),
                onMarked("1/2 0/~1~ over zones and hosts, counting nodes where the pod may be")
                        .withExistingPods(matchingPods("foo=", 1, 2, 0, 1))
                        .withIncomingPod(foo(scheduleAnyway(1, "zone", FOO, ""), scheduleAnyway(1, HOST, FOO, ""))
                                .spec(marked))
                        .expectNode("c"),
                onMarked("1/2 0/~1~ over zones of all nodes and over hosts whose taints the pod tolerates")
                        .withExistingPods(matchingPods("foo=", 1, 2, 0, 1))
                        .withIncomingPod(foo(
                                        scheduleAnyway(1, "zone", FOO, "nodeAffinityPolicy: Ignore"),
                                        scheduleAnyway(1, HOST, FOO, "nodeTaintsPolicy: Honor"))
                                .spec(marked))
                        .expectNode("c"),
                onFour("~0~/1 2/3, of which -/1 0/2 are of the pod's version")
                        .withExistingPods(matchingPods("foo=", 0, 0, 2, 1))
                        .withExistingPods(matchingPods("foo=, bar=", 0, 1, 0, 2))
                        .withIncomingPod(foo(scheduleAnyway(1, HOST, FOO, "matchLabelKeys: [bar]"))
                                .labelled("bar="))
                        .expectNode("c"),
                onFour("~0~/1 2/3 over hosts, told apart by a key alone")
                        .withExistingPods(matchingPods("foo=", 0, 1, 2, 3))
                        .withIncomingPod(foo(scheduleAnyway(1, HOST, "{}", "matchLabelKeys: [foo]")))
                        .expectNode("b"));
    }

    private static PlacementCase onFour(String name) {
        return PlacementCase.named(name)
                .withNodes(
                        aNode("a").labelled("zone=west").tainted("own", "", "NoSchedule"),
                        aNode("b").labelled("zone=west"),
                        aNode("c").labelled("zone=east"),
                        aNode("d").labelled("zone=east"))
                .otherwise("more copies fail with one zone or machine than need be");
    }

    private static PlacementCase onMarked(String name) {
        return PlacementCase.named(name)
                .withNodes(
                        aNode("a").labelled("zone=west, mark="),
                        aNode("b").labelled("zone=west, mark=").tainted("own", "", "PreferNoSchedule"),
                        aNode("c").labelled("zone=east, mark="),
                        aNode("d").labelled("zone=east"))
                .otherwise("nodes count that were to be left out, or do not that were to be counted");
    }

    private static PodManifest foo(String... constraints) {
        return aPod("web").labelled("foo=").spec(topologySpreadConstraints(constraints));
    }

    /** So many pods on each of the nodes a, b, c and d. */
    private static List<PodManifest> matchingPods(String labels, int... counts) {
        List<PodManifest> crowd = new ArrayList<>();
        for (int node = 0; node < counts.length; node++) {
            String name = "abcd".substring(node, node + 1);
            for (int i = 0; i < counts[node]; i++) {
                crowd.add(aPod("there-%s%d-%d".formatted(name, i, labels.length()))
                        .labelled(labels)
                        .on(name));
            }
        }
        return crowd;
    }
}
