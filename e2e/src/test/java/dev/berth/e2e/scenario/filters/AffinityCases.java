package dev.berth.e2e.scenario.filters;

import static dev.berth.e2e.scenario.testcluster.NodeManifest.aNode;
import static dev.berth.e2e.scenario.testcluster.PodManifest.aPod;
import static dev.berth.e2e.scenario.testcluster.PodSpecYaml.requiredAffinity;
import static dev.berth.e2e.scenario.testcluster.PodSpecYaml.requiredAffinityAndAntiAffinity;
import static dev.berth.e2e.scenario.testcluster.PodSpecYaml.requiredAntiAffinity;
import static dev.berth.e2e.scenario.testcluster.PodSpecYaml.selector;
import static dev.berth.e2e.scenario.testcluster.PodSpecYaml.term;

import dev.berth.e2e.scenario.testcluster.PlacementCase;
import dev.berth.e2e.scenario.testcluster.PodManifest;
import java.util.List;
import java.util.stream.Stream;

/** Pods that must be near some pods and apart from others, on two hosts of one zone and one region. */
final class AffinityCases {
    private static final String AFFINITY_NOT_MET = "2 node(s) didn't match pod affinity rules";
    private static final String ANTI_AFFINITY_NOT_MET = "2 node(s) didn't match pod anti-affinity rules";
    private static final String EXISTING_ANTI_AFFINITY = "2 node(s) didn't satisfy existing pods anti-affinity rules";

    private AffinityCases() {}

    static List<PlacementCase> cases() {
        return Stream.of(affinity(), antiAffinity(), existingAntiAffinity(), topologyKeys())
                .flatMap(List::stream)
                .toList();
    }

    private static PlacementCase onTwoHosts(String name) {
        return PlacementCase.named(name)
                .withNodes(
                        aNode("one").labelled("region=r1, zone=z1").offering("memory=1Gi"),
                        aNode("two").labelled("region=r1, zone=z1").offering("memory=1Gi"));
    }

    /** A scanner that is on host one already. */
    private static PodManifest scanner() {
        return aPod("scanner").labelled("service=scan").on("one");
    }

    private static PodManifest web() {
        return aPod("web").labelled("security=s1");
    }

    private static List<PlacementCase> affinity() {
        return List.of(
                onTwoHosts("whom a pod must be near is nowhere")
                        .withIncomingPod(web().spec(requiredAffinity(term("region", selector("security In [scan]")))))
                        .expectRefusal(AFFINITY_NOT_MET)
                        .otherwise("an agent runs where nothing is to be watched"),
                onTwoHosts("a pod's own labels are not those it asks for")
                        .withIncomingPod(
                                web().spec(requiredAffinity(term("region", selector("security DoesNotExist")))))
                        .expectRefusal(AFFINITY_NOT_MET)
                        .otherwise("a pod counts as its own company"),
                onTwoHosts("one of several values is enough")
                        .withExistingPods(scanner())
                        .withIncomingPod(
                                web().spec(requiredAffinity(term("region", selector("service In [scan, other]")))))
                        .expectNode("one", "two")
                        .otherwise("a pod waits for company that is there"),
                onTwoHosts("a value that is not excluded is enough")
                        .withExistingPods(scanner())
                        .withIncomingPod(
                                web().spec(requiredAffinity(term("region", selector("service NotIn [scan3, other]")))))
                        .expectNode("one", "two")
                        .otherwise("a pod waits for company that is there"),
                onTwoHosts("company of another service does not count")
                        .withExistingPods(scanner())
                        .withIncomingPod(aPod("web")
                                .labelled("service=scan")
                                .spec(requiredAffinity(term("region", selector("service In [virus, other]")))))
                        .expectRefusal(AFFINITY_NOT_MET)
                        .otherwise("a pod lands beside strangers"),
                onTwoHosts("one pod is company for several terms")
                        .withExistingPods(scanner())
                        .withIncomingPod(web().spec(requiredAffinity(
                                term("region", selector("service Exists", "wrong DoesNotExist")),
                                term("region", selector("service In [scan]", "service NotIn [wrong]")))))
                        .expectNode("one", "two")
                        .otherwise("a pod waits for company that is there"),
                onTwoHosts("all terms must hold")
                        .withExistingPods(scanner())
                        .withIncomingPod(web().spec(requiredAffinity(
                                term("region", selector("service Exists", "wrong DoesNotExist")),
                                term("region", selector("service In [scan2]", "service NotIn [wrong]")))))
                        .expectRefusal(AFFINITY_NOT_MET)
                        .otherwise("half of what was asked for is taken for all"),
                onTwoHosts("company on a host that does not exist does not count")
                        .withExistingPods(
                                aPod("scanner").labelled("service=scan").on("gone"))
                        .withIncomingPod(aPod("web")
                                .labelled("service=scan")
                                .spec(requiredAffinity(term("region", selector("service NotIn [scan, other]")))))
                        .expectRefusal(AFFINITY_NOT_MET)
                        .otherwise("a pod is sent after one that runs nowhere"),
                onTwoHosts("the first of its kind needs no company")
                        .withIncomingPod(aPod("web")
                                .labelled("service=web")
                                .spec(requiredAffinity(term("zone", selector("service In [web]")))))
                        .expectNode("one", "two")
                        .otherwise("a group that wants to be together never starts"),
                onTwoHosts("company on the very host is asked for")
                        .withExistingPods(scanner())
                        .withIncomingPod(web().spec(requiredAffinity(
                                term("kubernetes.io/hostname", selector("service In [scan]")))))
                        .expectNode("one")
                        .otherwise("a cache is on another machine than its reader"),
                PlacementCase.named("a host without the label that divides hosts is in no domain")
                        .withNodes(aNode("one").labelled("rack=r1"), aNode("two"))
                        .withExistingPods(
                                aPod("scanner").labelled("service=scan").on("two"))
                        .withIncomingPod(web().spec(requiredAffinity(term("rack", selector("service In [scan]")))))
                        .expectRefusal(AFFINITY_NOT_MET)
                        .otherwise("all hosts without a rack count as one rack"));
    }

    private static List<PlacementCase> antiAffinity() {
        return List.of(
                onTwoHosts("near some and apart from others who are not there")
                        .withExistingPods(scanner())
                        .withIncomingPod(web().spec(requiredAffinityAndAntiAffinity(
                                term("region", selector("service In [scan, other]")),
                                term("kubernetes.io/hostname", selector("service In [virus, other]")))))
                        .expectNode("one", "two")
                        .otherwise("a pod fears a pod that is not there"),
                onTwoHosts("near some, apart from others, and feared by nobody")
                        .withExistingPods(scanner()
                                .spec(requiredAntiAffinity(
                                        term("kubernetes.io/hostname", selector("service In [virus]")))))
                        .withIncomingPod(web().spec(requiredAffinityAndAntiAffinity(
                                term("region", selector("service In [scan, other]")),
                                term("kubernetes.io/hostname", selector("service In [virus, other]")))))
                        .expectNode("one", "two")
                        .otherwise("a pod fears a pod that is not there"),
                onTwoHosts("near some and apart from the same in the whole zone")
                        .withExistingPods(scanner())
                        .withIncomingPod(web().spec(requiredAffinityAndAntiAffinity(
                                term("region", selector("service In [scan, other]")),
                                term("zone", selector("service In [scan, other]")))))
                        .expectRefusal(ANTI_AFFINITY_NOT_MET)
                        .otherwise("two copies fail with one zone"),
                onTwoHosts("whom a pod must be apart from fills the region")
                        .withExistingPods(aPod("scanner").labelled("foo=abc").on("one"))
                        .withIncomingPod(aPod("web")
                                .spec(requiredAntiAffinity(term("region", selector("foo In [abc]"))))
                                .spec("nodeSelector: {region: r1}"))
                        .expectRefusal(ANTI_AFFINITY_NOT_MET)
                        .otherwise("two copies fail with one region"),
                onTwoHosts("apart on hosts leaves the other host")
                        .withExistingPods(scanner())
                        .withIncomingPod(aPod("web")
                                .labelled("service=scan")
                                .spec(requiredAntiAffinity(
                                        term("kubernetes.io/hostname", selector("service In [scan]")))))
                        .expectNode("two")
                        .otherwise("two copies fail with one machine"));
    }

    private static List<PlacementCase> existingAntiAffinity() {
        return List.of(
                onTwoHosts("who is there must be apart from the one that comes, who does not mind")
                        .withExistingPods(scanner()
                                .spec(requiredAntiAffinity(term("zone", selector("service In [scan, other]")))))
                        .withIncomingPod(aPod("web").labelled("service=scan"))
                        .expectRefusal(EXISTING_ANTI_AFFINITY)
                        .otherwise("who asked to be alone is joined by whoever comes later"),
                onTwoHosts("who is there must be apart from the one that comes, who asked for other things")
                        .withExistingPods(scanner()
                                .spec(requiredAntiAffinity(term("zone", selector("service In [scan, third]")))))
                        .withIncomingPod(aPod("web")
                                .labelled("service=scan")
                                .spec(requiredAffinityAndAntiAffinity(
                                        term("region", selector("service In [scan, other]")),
                                        term("kubernetes.io/hostname", selector("service In [virus, other]")))))
                        .expectRefusal(EXISTING_ANTI_AFFINITY)
                        .otherwise("who asked to be alone is joined by whoever comes later"),
                onTwoHosts("who is there must be apart from others than the one that comes")
                        .withExistingPods(scanner()
                                .spec(requiredAntiAffinity(term("zone", selector("service NotIn [scan, other]")))))
                        .withIncomingPod(aPod("web").labelled("service=scan"))
                        .expectNode("one", "two")
                        .otherwise("a pod is kept away that nobody minds"));
    }

    private static List<PlacementCase> topologyKeys() {
        String foo = selector("foo Exists");
        return List.of(
                onTwoHosts("apart from pods of the same version, which are not there")
                        .withExistingPods(
                                aPod("old").labelled("foo=, bar=fuga").on("one"),
                                aPod("older").labelled("foo=, bar=hoge").on("one"))
                        .withIncomingPod(aPod("web")
                                .labelled("foo=, bar=a")
                                .spec(requiredAntiAffinity(term("zone", foo, "matchLabelKeys: [bar]"))))
                        .expectNode("one", "two")
                        .otherwise("a new version waits for the old one to go"),
                onTwoHosts("apart from pods of other tenants, which are not there")
                        .withExistingPods(
                                aPod("mine").labelled("foo=, bar=a").on("one"),
                                aPod("too").labelled("foo=, bar=a").on("one"))
                        .withIncomingPod(aPod("web")
                                .labelled("foo=, bar=a")
                                .spec(requiredAntiAffinity(term("zone", foo, "mismatchLabelKeys: [bar]"))))
                        .expectNode("one", "two")
                        .otherwise("a tenant keeps itself away"),
                onTwoHosts("apart from pods of other tenants, of which one is there")
                        .withExistingPods(aPod("theirs").labelled("foo=, bar=b").on("one"))
                        .withIncomingPod(aPod("web")
                                .labelled("foo=, bar=a")
                                .spec(requiredAntiAffinity(term("zone", foo, "mismatchLabelKeys: [bar]"))))
                        .expectRefusal(ANTI_AFFINITY_NOT_MET)
                        .otherwise("two tenants share a zone"),
                onTwoHosts("near pods of the same version, whose host is full")
                        .withExistingPods(
                                aPod("same")
                                        .labelled("foo=, bar=a")
                                        .asking("memory=1Gi")
                                        .on("two"),
                                aPod("old").labelled("foo=, bar=hoge").on("one"),
                                aPod("older").labelled("foo=, bar=fuga").on("one"))
                        .withIncomingPod(aPod("web")
                                .labelled("foo=, bar=a")
                                .asking("memory=1Gi")
                                .spec(requiredAffinity(term("kubernetes.io/hostname", foo, "matchLabelKeys: [bar]"))))
                        .expectRefusal("1 Insufficient memory, 1 node(s) didn't match pod affinity rules")
                        .otherwise("a new version joins the old one's cache"),
                onTwoHosts("near pods of other tenants, whose host is full")
                        .withExistingPods(
                                aPod("theirs")
                                        .labelled("foo=, bar=fuga")
                                        .asking("memory=1Gi")
                                        .on("two"),
                                aPod("mine").labelled("foo=, bar=a").on("one"),
                                aPod("too").labelled("foo=, bar=a").on("one"))
                        .withIncomingPod(aPod("web")
                                .labelled("foo=, bar=a")
                                .asking("memory=1Gi")
                                .spec(requiredAffinity(
                                        term("kubernetes.io/hostname", foo, "mismatchLabelKeys: [bar]"))))
                        .expectRefusal("1 Insufficient memory, 1 node(s) didn't match pod affinity rules")
                        .otherwise("a pod lands beside its own tenant"));
    }
}
