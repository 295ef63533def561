package dev.berth.app.scenario.predicate;

import static dev.berth.app.scenario.stage.NodeText.aNode;
import static dev.berth.app.scenario.stage.PodText.aPod;
import static dev.berth.app.scenario.stage.Terms.near;
import static dev.berth.app.scenario.stage.Terms.term;
import static dev.berth.app.scenario.stage.Terms.where;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.scenario.stage.On;
import dev.berth.app.scenario.stage.RealStage;
import dev.berth.app.scenario.stage.Scene;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import org.junit.jupiter.api.Test;

@OnRealControlPlane
@On(RealStage.class)
final class PredicatesOnRealTest extends PredicateScenarios {
    /** kube-scheduler 1.36.4 does not hear of him, and looks again after five minutes. */
    @Test
    void aPodHearsOfAFriendWhoComesToANamespaceThatItsSelectorMatches(Scene scene) {
        scene.namespace("scene-a", "team=a");
        scene.nodes(aNode("one").labelled("region=r1"));
        String ofTeam = "namespaceSelector: " + where("team In [a]");
        scene.pod(aPod("web").spec(near(term("region", where("service In [scan]"), ofTeam))));
        assertThat(scene.whyPending("web")).contains("1 node(s) didn't match pod affinity rules");
        scene.pod(aPod("scanner").labelled("service=scan").in("scene-a").on("one"));
        assertThat(scene.nodeOf("web")).isEqualTo("one");
    }
}
