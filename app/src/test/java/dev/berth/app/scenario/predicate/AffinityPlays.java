package dev.berth.app.scenario.predicate;

import static dev.berth.app.scenario.stage.NodeText.aNode;
import static dev.berth.app.scenario.stage.PodText.aPod;
import static dev.berth.app.scenario.stage.Terms.apart;
import static dev.berth.app.scenario.stage.Terms.near;
import static dev.berth.app.scenario.stage.Terms.nearAndApart;
import static dev.berth.app.scenario.stage.Terms.term;
import static dev.berth.app.scenario.stage.Terms.where;

import dev.berth.app.scenario.stage.Play;
import dev.berth.app.scenario.stage.PodText;
import java.util.List;
import java.util.stream.Stream;

/** Pods that must be near some pods and apart from others, on two hosts of one zone and one region. */
final class AffinityPlays {
    private static final String NO_FRIEND = "2 node(s) didn't match pod affinity rules";
    private static final String OWN_FOE = "2 node(s) didn't match pod anti-affinity rules";
    private static final String FOE_THERE = "2 node(s) didn't satisfy existing pods anti-affinity rules";

    private AffinityPlays() {}

    static List<Play> plays() {
        return Stream.of(friends(), foes(), ofOthers(), keys())
                .flatMap(List::stream)
                .toList();
    }

    private static Play onTwoHosts(String name) {
        return Play.that(name)
                .on(
                        aNode("one").labelled("region=r1, zone=z1").offering("memory=1Gi"),
                        aNode("two").labelled("region=r1, zone=z1").offering("memory=1Gi"));
    }

    /** A scanner that is on host one already. */
    private static PodText scanner() {
        return aPod("scanner").labelled("service=scan").on("one");
    }

    private static PodText web() {
        return aPod("web").labelled("security=s1");
    }

    private static List<Play> friends() {
        return List.of(
                onTwoHosts("whom a pod must be near is nowhere")
                        .comes(web().spec(near(term("region", where("security In [scan]")))))
                        .isRefused(NO_FRIEND)
                        .lest("an agent runs where nothing is to be watched"),
                onTwoHosts("a pod's own labels are not those it asks for")
                        .comes(web().spec(near(term("region", where("security DoesNotExist")))))
                        .isRefused(NO_FRIEND)
                        .lest("a pod counts as its own company"),
                onTwoHosts("one of several values is enough")
                        .beside(scanner())
                        .comes(web().spec(near(term("region", where("service In [scan, other]")))))
                        .goesTo("one", "two")
                        .lest("a pod waits for company that is there"),
                onTwoHosts("a value that is not excluded is enough")
                        .beside(scanner())
                        .comes(web().spec(near(term("region", where("service NotIn [scan3, other]")))))
                        .goesTo("one", "two")
                        .lest("a pod waits for company that is there"),
                onTwoHosts("company of another service does not count")
                        .beside(scanner())
                        .comes(aPod("web")
                                .labelled("service=scan")
                                .spec(near(term("region", where("service In [virus, other]")))))
                        .isRefused(NO_FRIEND)
                        .lest("a pod lands beside strangers"),
                onTwoHosts("one pod is company for several terms")
                        .beside(scanner())
                        .comes(web().spec(near(
                                term("region", where("service Exists", "wrong DoesNotExist")),
                                term("region", where("service In [scan]", "service NotIn [wrong]")))))
                        .goesTo("one", "two")
                        .lest("a pod waits for company that is there"),
                onTwoHosts("all terms must hold")
                        .beside(scanner())
                        .comes(web().spec(near(
                                term("region", where("service Exists", "wrong DoesNotExist")),
                                term("region", where("service In [scan2]", "service NotIn [wrong]")))))
                        .isRefused(NO_FRIEND)
                        .lest("half of what was asked for is taken for all"),
                onTwoHosts("company on a host that does not exist does not count")
                        .beside(aPod("scanner").labelled("service=scan").on("gone"))
                        .comes(aPod("web")
                                .labelled("service=scan")
                                .spec(near(term("region", where("service NotIn [scan, other]")))))
                        .isRefused(NO_FRIEND)
                        .lest("a pod is sent after one that runs nowhere"),
                onTwoHosts("the first of its kind needs no company")
                        .comes(aPod("web").labelled("service=web").spec(near(term("zone", where("service In [web]")))))
                        .goesTo("one", "two")
                        .lest("a group that wants to be together never starts"),
                onTwoHosts("company on the very host is asked for")
                        .beside(scanner())
                        .comes(web().spec(near(term("kubernetes.io/hostname", where("service In [scan]")))))
                        .goesTo("one")
                        .lest("a cache is on another machine than its reader"),
                Play.that("a host without the label that divides hosts is in no domain")
                        .on(aNode("one").labelled("rack=r1"), aNode("two"))
                        .beside(aPod("scanner").labelled("service=scan").on("two"))
                        .comes(web().spec(near(term("rack", where("service In [scan]")))))
                        .isRefused(NO_FRIEND)
                        .lest("all hosts without a rack count as one rack"));
    }

    private static List<Play> foes() {
        return List.of(
                onTwoHosts("near some and apart from others who are not there")
                        .beside(scanner())
                        .comes(web().spec(nearAndApart(
                                term("region", where("service In [scan, other]")),
                                term("kubernetes.io/hostname", where("service In [virus, other]")))))
                        .goesTo("one", "two")
                        .lest("a pod fears a pod that is not there"),
                onTwoHosts("near some, apart from others, and feared by nobody")
                        .beside(scanner().spec(apart(term("kubernetes.io/hostname", where("service In [virus]")))))
                        .comes(web().spec(nearAndApart(
                                term("region", where("service In [scan, other]")),
                                term("kubernetes.io/hostname", where("service In [virus, other]")))))
                        .goesTo("one", "two")
                        .lest("a pod fears a pod that is not there"),
                onTwoHosts("near some and apart from the same in the whole zone")
                        .beside(scanner())
                        .comes(web().spec(nearAndApart(
                                term("region", where("service In [scan, other]")),
                                term("zone", where("service In [scan, other]")))))
                        .isRefused(OWN_FOE)
                        .lest("two copies fail with one zone"),
                onTwoHosts("whom a pod must be apart from fills the region")
                        .beside(aPod("scanner").labelled("foo=abc").on("one"))
                        .comes(aPod("web")
                                .spec(apart(term("region", where("foo In [abc]"))))
                                .spec("nodeSelector: {region: r1}"))
                        .isRefused(OWN_FOE)
                        .lest("two copies fail with one region"),
                onTwoHosts("apart on hosts leaves the other host")
                        .beside(scanner())
                        .comes(aPod("web")
                                .labelled("service=scan")
                                .spec(apart(term("kubernetes.io/hostname", where("service In [scan]")))))
                        .goesTo("two")
                        .lest("two copies fail with one machine"));
    }

    private static List<Play> ofOthers() {
        return List.of(
                onTwoHosts("who is there must be apart from the one that comes, who does not mind")
                        .beside(scanner().spec(apart(term("zone", where("service In [scan, other]")))))
                        .comes(aPod("web").labelled("service=scan"))
                        .isRefused(FOE_THERE)
                        .lest("who asked to be alone is joined by whoever comes later"),
                onTwoHosts("who is there must be apart from the one that comes, who asked for other things")
                        .beside(scanner().spec(apart(term("zone", where("service In [scan, third]")))))
                        .comes(aPod("web")
                                .labelled("service=scan")
                                .spec(nearAndApart(
                                        term("region", where("service In [scan, other]")),
                                        term("kubernetes.io/hostname", where("service In [virus, other]")))))
                        .isRefused(FOE_THERE)
                        .lest("who asked to be alone is joined by whoever comes later"),
                onTwoHosts("who is there must be apart from others than the one that comes")
                        .beside(scanner().spec(apart(term("zone", where("service NotIn [scan, other]")))))
                        .comes(aPod("web").labelled("service=scan"))
                        .goesTo("one", "two")
                        .lest("a pod is kept away that nobody minds"));
    }

    private static List<Play> keys() {
        String foo = where("foo Exists");
        return List.of(
                onTwoHosts("apart from pods of the same version, which are not there")
                        .beside(
                                aPod("old").labelled("foo=, bar=fuga").on("one"),
                                aPod("older").labelled("foo=, bar=hoge").on("one"))
                        .comes(aPod("web")
                                .labelled("foo=, bar=a")
                                .spec(apart(term("zone", foo, "matchLabelKeys: [bar]"))))
                        .goesTo("one", "two")
                        .lest("a new version waits for the old one to go"),
                onTwoHosts("apart from pods of other tenants, which are not there")
                        .beside(
                                aPod("mine").labelled("foo=, bar=a").on("one"),
                                aPod("too").labelled("foo=, bar=a").on("one"))
                        .comes(aPod("web")
                                .labelled("foo=, bar=a")
                                .spec(apart(term("zone", foo, "mismatchLabelKeys: [bar]"))))
                        .goesTo("one", "two")
                        .lest("a tenant keeps itself away"),
                onTwoHosts("apart from pods of other tenants, of which one is there")
                        .beside(aPod("theirs").labelled("foo=, bar=b").on("one"))
                        .comes(aPod("web")
                                .labelled("foo=, bar=a")
                                .spec(apart(term("zone", foo, "mismatchLabelKeys: [bar]"))))
                        .isRefused(OWN_FOE)
                        .lest("two tenants share a zone"),
                onTwoHosts("near pods of the same version, whose host is full")
                        .beside(
                                aPod("same")
                                        .labelled("foo=, bar=a")
                                        .asking("memory=1Gi")
                                        .on("two"),
                                aPod("old").labelled("foo=, bar=hoge").on("one"),
                                aPod("older").labelled("foo=, bar=fuga").on("one"))
                        .comes(aPod("web")
                                .labelled("foo=, bar=a")
                                .asking("memory=1Gi")
                                .spec(near(term("kubernetes.io/hostname", foo, "matchLabelKeys: [bar]"))))
                        .isRefused("1 Insufficient memory, 1 node(s) didn't match pod affinity rules")
                        .lest("a new version joins the old one's cache"),
                onTwoHosts("near pods of other tenants, whose host is full")
                        .beside(
                                aPod("theirs")
                                        .labelled("foo=, bar=fuga")
                                        .asking("memory=1Gi")
                                        .on("two"),
                                aPod("mine").labelled("foo=, bar=a").on("one"),
                                aPod("too").labelled("foo=, bar=a").on("one"))
                        .comes(aPod("web")
                                .labelled("foo=, bar=a")
                                .asking("memory=1Gi")
                                .spec(near(term("kubernetes.io/hostname", foo, "mismatchLabelKeys: [bar]"))))
                        .isRefused("1 Insufficient memory, 1 node(s) didn't match pod affinity rules")
                        .lest("a pod lands beside its own tenant"));
    }
}
