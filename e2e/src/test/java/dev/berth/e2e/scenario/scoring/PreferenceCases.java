package dev.berth.e2e.scenario.scoring;

import static dev.berth.e2e.scenario.testcluster.NodeManifest.aNode;
import static dev.berth.e2e.scenario.testcluster.PodManifest.aPod;
import static dev.berth.e2e.scenario.testcluster.PodSpecYaml.preferredAffinity;
import static dev.berth.e2e.scenario.testcluster.PodSpecYaml.preferredAntiAffinity;
import static dev.berth.e2e.scenario.testcluster.PodSpecYaml.selector;
import static dev.berth.e2e.scenario.testcluster.PodSpecYaml.term;
import static dev.berth.e2e.scenario.testcluster.PodSpecYaml.weighted;

import dev.berth.e2e.scenario.testcluster.PlacementCase;
import dev.berth.e2e.scenario.testcluster.PodManifest;
import java.util.List;
import java.util.stream.Stream;

/** Pods that would rather be here than there, on nodes that are otherwise alike. */
final class PreferenceCases {
    private PreferenceCases() {}

    static List<PlacementCase> cases() {
        return Stream.of(resources(), nodes(), podAffinity(), taints(), images())
                .flatMap(List::stream)
                .toList();
    }

    private static List<PlacementCase> resources() {
        PodManifest withSidecar =
                aPod("first").asking("cpu=2, memory=4Gi").on("one").spec("""
                initContainers:
                - {name: side, image: pause, restartPolicy: Always, resources: {requests: {cpu: "2", memory: 2Gi}}}
                """);
        return List.of(
                PlacementCase.named("the node where less is asked for, sidecars included")
                        .withNodes(
                                aNode("one").offering("memory=16Gi"),
                                aNode("two").offering("memory=16Gi"))
                        .withExistingPods(
                                withSidecar,
                                aPod("second").asking("cpu=2, memory=4Gi").on("two"))
                        .withIncomingPod(aPod("web").asking("cpu=2, memory=4Gi"))
                        .expectNode("two")
                        .otherwise("one machine is full while another idles"),
                PlacementCase.named("the node whose cpu and memory are used alike")
                        .withNodes(
                                aNode("one").offering("memory=8Gi"),
                                aNode("two").offering("memory=8Gi"))
                        .withExistingPods(
                                aPod("first").asking("cpu=4, memory=1Gi").on("one"),
                                aPod("second").asking("cpu=1, memory=4Gi").on("two"))
                        .withIncomingPod(aPod("web").asking("cpu=2, memory=100Mi"))
                        .expectNode("two")
                        .otherwise("memory is left that no cpu can use"));
    }

    private static List<PlacementCase> nodes() {
        String rather = """
                affinity:
                  nodeAffinity:
                    preferredDuringSchedulingIgnoredDuringExecution:
                    - {weight: 20, preference: {matchExpressions: [{key: disk, operator: In, values: [ssd]}]}}
                """;
        return List.of(
                PlacementCase.named("the node that is asked for")
                        .withNodes(
                                aNode("one"),
                                aNode("two"),
                                aNode("three"),
                                aNode("four").labelled("disk=ssd"))
                        .withIncomingPod(aPod("web").spec(rather))
                        .expectNode("four")
                        .otherwise("a database is on slow disks beside fast ones"),
                PlacementCase.named("any node where none is as asked for")
                        .withNodes(aNode("one"), aNode("two"))
                        .withIncomingPod(aPod("web").spec(rather))
                        .expectNode("one", "two")
                        .otherwise("a wish is taken for an order"));
    }

    private static PlacementCase onRacks(String name) {
        return PlacementCase.named(name)
                .withNodes(
                        aNode("a1").labelled("rack=a"),
                        aNode("a2").labelled("rack=a"),
                        aNode("b1").labelled("rack=b"),
                        aNode("b2").labelled("rack=b"),
                        aNode("c1").labelled("rack=c"),
                        aNode("c2").labelled("rack=c"),
                        aNode("none"))
                .otherwise("pods that talk all day are far apart, or copies fail together");
    }

    private static PodManifest foo(String name, String bar, String node) {
        return aPod(name).labelled("foo=, bar=" + bar).on(node);
    }

    private static List<PlacementCase> podAffinity() {
        String foo = selector("foo Exists");
        String hoge = weighted(10, term("rack", selector("bar In [hoge]")));
        PodManifest web = aPod("web").labelled("foo=, bar=a");
        return List.of(
                onRacks("the rack of those it would rather be near")
                        .withExistingPods(aPod("first").labelled("service=s1").on("a1"))
                        .withIncomingPod(aPod("web")
                                .spec(preferredAffinity(weighted(50, term("rack", selector("service In [s1, s3]"))))))
                        .expectNode("a1", "a2"),
                onRacks("the rack of those who would rather be near it")
                        .withExistingPods(aPod("first")
                                .on("b1")
                                .spec(preferredAffinity(weighted(50, term("rack", selector("service In [s1]"))))))
                        .withIncomingPod(aPod("web").labelled("service=s1"))
                        .expectNode("b1", "b2"),
                PlacementCase.named("apart from those of its version")
                        .withNodes(aNode("a1").labelled("rack=a"), aNode("b1").labelled("rack=b"))
                        .withExistingPods(foo("old", "fuga", "a1"), foo("same", "a", "b1"))
                        .withIncomingPod(aPod("web")
                                .labelled("foo=, bar=a")
                                .spec(preferredAntiAffinity(weighted(50, term("rack", foo, "matchLabelKeys: [bar]")))))
                        .expectNode("a1")
                        .otherwise("copies of one version fail together"),
                PlacementCase.named("apart from those of other tenants")
                        .withNodes(aNode("a1").labelled("rack=a"), aNode("b1").labelled("rack=b"))
                        .withExistingPods(foo("theirs", "fuga", "a1"), foo("same", "a", "b1"))
                        .withIncomingPod(aPod("web")
                                .labelled("foo=, bar=a")
                                .spec(preferredAntiAffinity(
                                        weighted(50, term("rack", foo, "mismatchLabelKeys: [bar]")))))
                        .expectNode("b1")
                        .otherwise("tenants share a rack that need not"),
                onRacks("near those of its version, more than near others")
                        .withExistingPods(foo("one", "hoge", "a1"), foo("two", "hoge", "b1"), foo("three", "a", "c1"))
                        .withIncomingPod(web.spec(
                                preferredAffinity(weighted(50, term("rack", foo, "matchLabelKeys: [bar]")), hoge)))
                        .expectNode("c1", "c2"),
                onRacks("near those of other tenants, more than near its own")
                        .withExistingPods(foo("one", "a", "a1"), foo("two", "a", "b1"), foo("three", "hoge", "c1"))
                        .withIncomingPod(aPod("web")
                                .labelled("foo=, bar=a")
                                .spec(preferredAffinity(
                                        weighted(50, term("rack", foo, "mismatchLabelKeys: [bar]")), hoge)))
                        .expectNode("c1", "c2"));
    }

    private static List<PlacementCase> taints() {
        String tolerating = "tolerations: [{key: %s, value: v, effect: PreferNoSchedule}]";
        return List.of(
                PlacementCase.named("any node where none advises against")
                        .withNodes(aNode("one"), aNode("two"))
                        .withIncomingPod(aPod("web"))
                        .expectNode("one", "two")
                        .otherwise("a pod waits for no reason"),
                PlacementCase.named("any node where the advice is not for it")
                        .withNodes(aNode("one").tainted("k", "v", "PreferNoSchedule"), aNode("two"))
                        .withIncomingPod(aPod("web").spec(tolerating.formatted("k")))
                        .expectNode("one", "two")
                        .otherwise("a pod waits for no reason"),
                PlacementCase.named("the node that does not advise against it")
                        .withNodes(aNode("one").tainted("k", "v", "PreferNoSchedule"), aNode("two"))
                        .withIncomingPod(aPod("web").spec(tolerating.formatted("other")))
                        .expectNode("two")
                        .otherwise("machines fill up that were to be kept free if possible"));
    }

    private static List<PlacementCase> images() {
        String image = "registry.example.com/large:v1";
        return List.of(PlacementCase.named("the node that has the image")
                .withNodes(aNode("one"), aNode("two").having(image, 3000L << 20), aNode("three"), aNode("four"))
                .withIncomingPod(aPod("web").spec("containers: [{name: main, image: \"%s\"}]".formatted(image)))
                .expectNode("two")
                .otherwise("three gigabytes are fetched once more"));
    }
}
