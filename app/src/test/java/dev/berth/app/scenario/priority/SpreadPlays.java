package dev.berth.app.scenario.priority;

import static dev.berth.app.scenario.stage.NodeText.aNode;
import static dev.berth.app.scenario.stage.PodText.aPod;
import static dev.berth.app.scenario.stage.Terms.must;
import static dev.berth.app.scenario.stage.Terms.should;
import static dev.berth.app.scenario.stage.Terms.spreading;
import static dev.berth.app.scenario.stage.Terms.where;

import dev.berth.app.scenario.stage.Play;
import dev.berth.app.scenario.stage.PodText;
import java.util.ArrayList;
import java.util.List;

/**
 * Pods that should be spread. In names, {@code ~4~/0 1/2} are the pods on two nodes of one zone, of which the first does
 * not take the pod, and two of another.
 */
final class SpreadPlays {
    private static final String HOST = "kubernetes.io/hostname";
    private static final String FOO = where("foo Exists");

    private SpreadPlays() {}

    static List<Play> plays() {
        String marked = "nodeSelector: {mark: \"\"}";
        return List.of(
                onFour("~0~/1 2/3 over hosts: the one with fewest")
                        .beside(crowd("foo=", 0, 1, 2, 3))
                        .comes(foo(should(1, HOST, FOO, "")))
                        .goesTo("b"),
                onFour("~4~/0 1/2 over hosts if possible and over zones by all means")
                        .beside(crowd("foo=", 4, 0, 1, 2))
                        .comes(foo(should(1, HOST, FOO, ""), must(1, "zone", FOO, "")))
                        .goesTo("c"),
                onMarked("1/2 0/~1~ over zones and hosts, counting nodes where the pod may be")
                        .beside(crowd("foo=", 1, 2, 0, 1))
                        .comes(foo(should(1, "zone", FOO, ""), should(1, HOST, FOO, ""))
                                .spec(marked))
                        .goesTo("c"),
                onMarked("1/2 0/~1~ over zones of all nodes and over hosts whose taints the pod tolerates")
                        .beside(crowd("foo=", 1, 2, 0, 1))
                        .comes(foo(
                                        should(1, "zone", FOO, "nodeAffinityPolicy: Ignore"),
                                        should(1, HOST, FOO, "nodeTaintsPolicy: Honor"))
                                .spec(marked))
                        .goesTo("c"),
                onFour("~0~/1 2/3, of which -/1 0/2 are of the pod's version")
                        .beside(crowd("foo=", 0, 0, 2, 1))
                        .beside(crowd("foo=, bar=", 0, 1, 0, 2))
                        .comes(foo(should(1, HOST, FOO, "matchLabelKeys: [bar]"))
                                .labelled("bar="))
                        .goesTo("c"),
                onFour("~0~/1 2/3 over hosts, told apart by a key alone")
                        .beside(crowd("foo=", 0, 1, 2, 3))
                        .comes(foo(should(1, HOST, "{}", "matchLabelKeys: [foo]")))
                        .goesTo("b"));
    }

    private static Play onFour(String name) {
        return Play.that(name)
                .on(
                        aNode("a").labelled("zone=west").tainted("own", "", "NoSchedule"),
                        aNode("b").labelled("zone=west"),
                        aNode("c").labelled("zone=east"),
                        aNode("d").labelled("zone=east"))
                .lest("more copies fail with one zone or machine than need be");
    }

    private static Play onMarked(String name) {
        return Play.that(name)
                .on(
                        aNode("a").labelled("zone=west, mark="),
                        aNode("b").labelled("zone=west, mark=").tainted("own", "", "PreferNoSchedule"),
                        aNode("c").labelled("zone=east, mark="),
                        aNode("d").labelled("zone=east"))
                .lest("nodes count that were to be left out, or do not that were to be counted");
    }

    private static PodText foo(String... constraints) {
        return aPod("web").labelled("foo=").spec(spreading(constraints));
    }

    /** So many pods on each of the nodes a, b, c and d. */
    private static List<PodText> crowd(String labels, int... counts) {
        List<PodText> crowd = new ArrayList<>();
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
