package dev.berth.app.scenario.predicate;

import static dev.berth.app.scenario.stage.NodeText.aNode;
import static dev.berth.app.scenario.stage.PodText.aPod;
import static dev.berth.app.scenario.stage.Terms.must;
import static dev.berth.app.scenario.stage.Terms.onNodes;
import static dev.berth.app.scenario.stage.Terms.spreading;
import static dev.berth.app.scenario.stage.Terms.where;

import dev.berth.app.scenario.stage.NodeText;
import dev.berth.app.scenario.stage.Play;
import dev.berth.app.scenario.stage.PodText;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Pods that must be spread. In names, {@code 2/0 1/1} are the pods on two nodes of one zone and two of another. */
final class SpreadPlays {
    static final String HOST = "kubernetes.io/hostname";
    private static final String FOO = where("foo Exists");

    private SpreadPlays() {}

    static List<Play> plays() {
        return Stream.of(skews(), minDomains(), inclusion(), selectors())
                .flatMap(List::stream)
                .toList();
    }

    /** So many pods of the kind on each of the nodes a, b, c and d. */
    static List<PodText> crowd(int... counts) {
        List<PodText> crowd = new ArrayList<>();
        for (int node = 0; node < counts.length; node++) {
            String name = "abcd".substring(node, node + 1);
            for (int i = 0; i < counts[node]; i++) {
                crowd.add(aPod("there-%s%d".formatted(name, i)).labelled("foo=").on(name));
            }
        }
        return crowd;
    }

    private static NodeText inZone(String name, String zone) {
        return aNode(name).labelled("zone=" + zone);
    }

    private static Play onFour(String name) {
        return Play.that(name)
                .on(inZone("a", "west"), inZone("b", "west"), inZone("c", "east"), inZone("d", "east"))
                .lest("more copies fail with one zone or machine than was allowed");
    }

    private static PodText foo(String... constraints) {
        return aPod("web").labelled("foo=").spec(spreading(constraints));
    }

    private static List<Play> skews() {
        String notA = onNodes(where(HOST + " NotIn [a]"));
        return List.of(
                onFour("1/1 0/1 over hosts: the empty one is left")
                        .beside(crowd(1, 1, 0, 1))
                        .comes(foo(must(1, HOST, FOO, "")))
                        .goesTo("c"),
                onFour("2/0 0/1 over hosts by two: three are left")
                        .beside(crowd(2, 0, 0, 1))
                        .comes(foo(must(2, HOST, FOO, "")))
                        .goesTo("b", "c", "d"),
                onFour("1/0 0/1 over hosts in the one zone where the pod may be")
                        .beside(crowd(1, 0, 0, 1))
                        .comes(foo(must(1, HOST, FOO, "")).spec(onNodes(where("zone In [west]"))))
                        .goesTo("b"),
                onFour("1/1 0/2 over hosts and zones: both leave one")
                        .beside(crowd(1, 1, 0, 2))
                        .comes(foo(must(1, "zone", FOO, ""), must(1, HOST, FOO, "")))
                        .goesTo("c"),
                onFour("-/2 2/1 over hosts and zones: what the one leaves the other does not")
                        .beside(crowd(0, 2, 2, 1))
                        .comes(foo(must(1, "zone", FOO, ""), must(1, HOST, FOO, ""))
                                .spec(notA))
                        .isRefused("1 node(s) didn't match Pod's node affinity/selector,"
                                + " 3 node(s) didn't match pod topology spread constraints"),
                Play.that("a node without the label that divides nodes is in no domain")
                        .on(inZone("a", "west"), aNode("b"))
                        .beside(crowd(1))
                        .comes(foo(must(1, "zone", FOO, "")).spec("nodeSelector: {%s: b}".formatted(HOST)))
                        .isRefused("1 node(s) didn't match Pod's node affinity/selector,"
                                + " 1 node(s) didn't match pod topology spread constraints (missing required label)")
                        .lest("a copy is where nobody counts it"));
    }

    private static List<Play> minDomains() {
        String notA = onNodes(where(HOST + " NotIn [a]"));
        return List.of(
                onFour("-/2 2/1 over hosts by two, of which four are wanted: only where one is")
                        .beside(crowd(0, 2, 2, 1))
                        .comes(foo(must(2, HOST, FOO, "minDomains: 4")).spec(notA))
                        .goesTo("d"),
                onFour("-/2 2/1 over hosts by two, of which two are wanted: anywhere")
                        .beside(crowd(0, 2, 2, 1))
                        .comes(foo(must(2, HOST, FOO, "minDomains: 2")).spec(notA))
                        .goesTo("b", "c", "d"),
                onFour("1/1 1/0 over zones by two, of which three are wanted: only where one is")
                        .beside(crowd(1, 1, 1))
                        .comes(foo(must(2, "zone", FOO, "minDomains: 3")))
                        .goesTo("c", "d"),
                onFour("0/1 1/1 over zones by two, of which one is wanted: anywhere")
                        .beside(crowd(0, 1, 1, 1))
                        .comes(foo(must(2, "zone", FOO, "minDomains: 1")))
                        .goesTo("a", "b", "c", "d"));
    }

    /** Of two nodes in a zone, some are not for everybody: c is not marked, or tainted. */
    private static List<Play> inclusion() {
        String marked = "nodeSelector: {mark: \"\"}";
        return List.of(
                onMarked("1/1 ~1~/1 over zones, counting only nodes where the pod may be", false)
                        .beside(crowd(1, 1, 1, 1))
                        .comes(foo(must(1, "zone", FOO, "")).spec(marked))
                        .goesTo("d"),
                onMarked("1/0 ~1~/1 over zones, counting all nodes, wherever the pod may be", false)
                        .beside(crowd(1, 0, 1, 1))
                        .comes(foo(must(1, "zone", FOO, "nodeAffinityPolicy: Ignore"))
                                .spec(onNodes(where("mark In [\"\"]"))))
                        .goesTo("a", "b"),
                onTainted("1/1 ~1~/1 over zones, counting only nodes whose taints the pod tolerates")
                        .beside(crowd(1, 1, 1, 1))
                        .comes(foo(must(1, "zone", FOO, "nodeTaintsPolicy: Honor")))
                        .goesTo("d"),
                onTainted("1/1 ~1~/1 over zones, counting all nodes, whatever their taints")
                        .beside(crowd(1, 1, 1, 1))
                        .comes(foo(must(1, "zone", FOO, "")))
                        .goesTo("a", "b", "d"),
                onMarked("1/~1~ ~1~/1 over zones and hosts, both by what the pod may, neither by taints", true)
                        .beside(crowd(1, 1, 1, 1))
                        .comes(foo(must(1, "zone", FOO, ""), must(1, HOST, FOO, ""))
                                .spec(marked))
                        .goesTo("d"),
                onMarked("1/~1~ ~1~/1 over zones by nothing and over hosts by both", true)
                        .beside(crowd(1, 1, 1, 1))
                        .comes(foo(
                                        must(1, "zone", FOO, "nodeAffinityPolicy: Ignore"),
                                        must(1, HOST, FOO, "nodeTaintsPolicy: Honor"))
                                .spec(marked))
                        .goesTo("a", "d"));
    }

    private static Play onMarked(String name, boolean taintB) {
        NodeText b = inZone("b", "west").labelled("mark=");
        return Play.that(name)
                .on(
                        inZone("a", "west").labelled("mark="),
                        taintB ? b.tainted("own", "", "NoSchedule") : b,
                        inZone("c", "east"),
                        inZone("d", "east").labelled("mark="))
                .lest("nodes count that were to be left out, or do not that were to be counted");
    }

    private static Play onTainted(String name) {
        return Play.that(name)
                .on(
                        inZone("a", "west"),
                        inZone("b", "west"),
                        inZone("c", "east").tainted("own", "", "NoSchedule"),
                        inZone("d", "east"))
                .lest("nodes count that were to be left out, or do not that were to be counted");
    }

    private static List<Play> selectors() {
        return List.of(
                onFour("of 1/1 1/0 only the one in the east is of the pod's version")
                        .beside(crowd(1, 1))
                        .beside(aPod("same").labelled("foo=, bar=").on("c"))
                        .comes(foo(must(1, "zone", FOO, "matchLabelKeys: [bar]"))
                                .labelled("bar="))
                        .goesTo("a", "b"),
                onFour("1/1 1/0 over zones, told apart by a key alone")
                        .beside(crowd(1, 1, 1))
                        .comes(foo(must(1, "zone", "{}", "matchLabelKeys: [foo]")))
                        .goesTo("c", "d"));
    }
}
