package dev.berth.app.scenario.priority;

import static dev.berth.app.scenario.stage.NodeText.aNode;
import static dev.berth.app.scenario.stage.PodText.aPod;
import static dev.berth.app.scenario.stage.Terms.ratherApart;
import static dev.berth.app.scenario.stage.Terms.ratherNear;
import static dev.berth.app.scenario.stage.Terms.term;
import static dev.berth.app.scenario.stage.Terms.weighted;
import static dev.berth.app.scenario.stage.Terms.where;

import dev.berth.app.scenario.stage.Play;
import dev.berth.app.scenario.stage.PodText;
import java.util.List;
import java.util.stream.Stream;

/** Pods that would rather be here than there, on nodes that are otherwise alike. */
final class RatherPlays {
    private RatherPlays() {}

    static List<Play> plays() {
        return Stream.of(room(), nodes(), neighbours(), taints(), images())
                .flatMap(List::stream)
                .toList();
    }

    private static List<Play> room() {
        PodText withSidecar =
                aPod("first").asking("cpu=2, memory=4Gi").on("one").spec("""
                initContainers:
                - {name: side, image: pause, restartPolicy: Always, resources: {requests: {cpu: "2", memory: 2Gi}}}
                """);
        return List.of(
                Play.that("the node where less is asked for, sidecars included")
                        .on(aNode("one").offering("memory=16Gi"), aNode("two").offering("memory=16Gi"))
                        .beside(
                                withSidecar,
                                aPod("second").asking("cpu=2, memory=4Gi").on("two"))
                        .comes(aPod("web").asking("cpu=2, memory=4Gi"))
                        .goesTo("two")
                        .lest("one machine is full while another idles"),
                Play.that("the node whose cpu and memory are used alike")
                        .on(aNode("one").offering("memory=8Gi"), aNode("two").offering("memory=8Gi"))
                        .beside(
                                aPod("first").asking("cpu=4, memory=1Gi").on("one"),
                                aPod("second").asking("cpu=1, memory=4Gi").on("two"))
                        .comes(aPod("web").asking("cpu=2, memory=100Mi"))
                        .goesTo("two")
                        .lest("memory is left that no cpu can use"));
    }

    private static List<Play> nodes() {
        String rather = """
                affinity:
                  nodeAffinity:
                    preferredDuringSchedulingIgnoredDuringExecution:
                    - {weight: 20, preference: {matchExpressions: [{key: disk, operator: In, values: [ssd]}]}}
                """;
        return List.of(
                Play.that("the node that is asked for")
                        .on(
                                aNode("one"),
                                aNode("two"),
                                aNode("three"),
                                aNode("four").labelled("disk=ssd"))
                        .comes(aPod("web").spec(rather))
                        .goesTo("four")
                        .lest("a database is on slow disks beside fast ones"),
                Play.that("any node where none is as asked for")
                        .on(aNode("one"), aNode("two"))
                        .comes(aPod("web").spec(rather))
                        .goesTo("one", "two")
                        .lest("a wish is taken for an order"));
    }

    private static Play onRacks(String name) {
        return Play.that(name)
                .on(
                        aNode("a1").labelled("rack=a"),
                        aNode("a2").labelled("rack=a"),
                        aNode("b1").labelled("rack=b"),
                        aNode("b2").labelled("rack=b"),
                        aNode("c1").labelled("rack=c"),
                        aNode("c2").labelled("rack=c"),
                        aNode("none"))
                .lest("pods that talk all day are far apart, or copies fail together");
    }

    private static PodText foo(String name, String bar, String node) {
        return aPod(name).labelled("foo=, bar=" + bar).on(node);
    }

    private static List<Play> neighbours() {
        String foo = where("foo Exists");
        String hoge = weighted(10, term("rack", where("bar In [hoge]")));
        PodText web = aPod("web").labelled("foo=, bar=a");
        return List.of(
                onRacks("the rack of those it would rather be near")
                        .beside(aPod("first").labelled("service=s1").on("a1"))
                        .comes(aPod("web").spec(ratherNear(weighted(50, term("rack", where("service In [s1, s3]"))))))
                        .goesTo("a1", "a2"),
                onRacks("the rack of those who would rather be near it")
                        .beside(aPod("first")
                                .on("b1")
                                .spec(ratherNear(weighted(50, term("rack", where("service In [s1]"))))))
                        .comes(aPod("web").labelled("service=s1"))
                        .goesTo("b1", "b2"),
                Play.that("apart from those of its version")
                        .on(aNode("a1").labelled("rack=a"), aNode("b1").labelled("rack=b"))
                        .beside(foo("old", "fuga", "a1"), foo("same", "a", "b1"))
                        .comes(aPod("web")
                                .labelled("foo=, bar=a")
                                .spec(ratherApart(weighted(50, term("rack", foo, "matchLabelKeys: [bar]")))))
                        .goesTo("a1")
                        .lest("copies of one version fail together"),
                Play.that("apart from those of other tenants")
                        .on(aNode("a1").labelled("rack=a"), aNode("b1").labelled("rack=b"))
                        .beside(foo("theirs", "fuga", "a1"), foo("same", "a", "b1"))
                        .comes(aPod("web")
                                .labelled("foo=, bar=a")
                                .spec(ratherApart(weighted(50, term("rack", foo, "mismatchLabelKeys: [bar]")))))
                        .goesTo("b1")
                        .lest("tenants share a rack that need not"),
                onRacks("near those of its version, more than near others")
                        .beside(foo("one", "hoge", "a1"), foo("two", "hoge", "b1"), foo("three", "a", "c1"))
                        .comes(web.spec(ratherNear(weighted(50, term("rack", foo, "matchLabelKeys: [bar]")), hoge)))
                        .goesTo("c1", "c2"),
                onRacks("near those of other tenants, more than near its own")
                        .beside(foo("one", "a", "a1"), foo("two", "a", "b1"), foo("three", "hoge", "c1"))
                        .comes(aPod("web")
                                .labelled("foo=, bar=a")
                                .spec(ratherNear(weighted(50, term("rack", foo, "mismatchLabelKeys: [bar]")), hoge)))
                        .goesTo("c1", "c2"));
    }

    private static List<Play> taints() {
        String tolerating = "tolerations: [{key: %s, value: v, effect: PreferNoSchedule}]";
        return List.of(
                Play.that("any node where none advises against")
                        .on(aNode("one"), aNode("two"))
                        .comes(aPod("web"))
                        .goesTo("one", "two")
                        .lest("a pod waits for no reason"),
                Play.that("any node where the advice is not for it")
                        .on(aNode("one").tainted("k", "v", "PreferNoSchedule"), aNode("two"))
                        .comes(aPod("web").spec(tolerating.formatted("k")))
                        .goesTo("one", "two")
                        .lest("a pod waits for no reason"),
                Play.that("the node that does not advise against it")
                        .on(aNode("one").tainted("k", "v", "PreferNoSchedule"), aNode("two"))
                        .comes(aPod("web").spec(tolerating.formatted("other")))
                        .goesTo("two")
                        .lest("machines fill up that were to be kept free if possible"));
    }

    private static List<Play> images() {
        String image = "registry.example.com/large:v1";
        return List.of(Play.that("the node that has the image")
                .on(aNode("one"), aNode("two").having(image, 3000L << 20), aNode("three"), aNode("four"))
                .comes(aPod("web").spec("containers: [{name: main, image: \"%s\"}]".formatted(image)))
                .goesTo("two")
                .lest("three gigabytes are fetched once more"));
    }
}
