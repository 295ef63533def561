package dev.berth.core.door.comeback;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.hold.ReturnKey;
import dev.berth.core.testing.PodBuilder;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What Deployments ask for their pods, and for how long. */
class PetitionsTest {
    private final Scene scene = new Scene().node(aNode("n1").with("8 cpu")).listed();

    private static ComebackFact.PetitionSeen deployment(String reservation, String ttl) {
        return new ComebackFact.PetitionSeen(new Petition("default", "res-dp", "d", reservation, ttl));
    }

    private static PodBuilder labelled(String name) {
        return aPod(name).asking("1 cpu").labelled("name", "res-dp");
    }

    private static PodBuilder owned(String name, String hash) {
        return aPod(name).asking("1 cpu").labelled("pod-template-hash", hash).ownedBy("ReplicaSet/res-dp-" + hash);
    }

    private long ttlOf(String reservation) {
        return scene.reservation(reservation).flatMap(Placeholder::ttl).orElse(0L);
    }

    @Test
    void podsOfADeploymentThatAsksLeaveTheirPlacesToItsNextPods() {
        scene.tell(deployment("true", ""));
        scene.pod(labelled("a").on("n1")).pod(labelled("b").on("n1"));
        scene.delete("a").delete("b");
        assertThat(scene.reservations()).containsExactly("a", "b");
        scene.pod(labelled("c")).pod(labelled("d")).pod(labelled("e"));
        assertThat(Optional.of(scene.matchOf("c"))).contains("default/a-placeholder");
        assertThat(scene.matchOf("d")).isEqualTo("default/b-placeholder");
        assertThat(scene.matchOf("e")).as("only two places were kept").isEmpty();
    }

    @Test
    void aDeploymentIsKnownByItsReplicaSetWithoutAnyLabelAndAcrossItsRevisions() {
        scene.tell(deployment("true", ""));
        scene.pod(owned("a", "86cc").on("n1")).delete("a");
        assertThat(scene.reservation("a").orElseThrow().key()).isEqualTo("res-dp");
        scene.pod(owned("b", "77ff"));
        assertThat(scene.matchOf("b")).isEqualTo("default/a-placeholder");
    }

    @Test
    void anAnnotationThatWasRemovedBeforeAsksForNothing() {
        scene.tell(deployment("true", "")).pod(labelled("a").on("n1"));
        scene.tell(new ComebackFact.PetitionGone("d")).delete("a");
        assertThat(scene.reservations()).isEmpty();
    }

    @Test
    void anAnnotationThatIsRemovedWhileThePodEndsAsksForNothing() {
        scene.tell(deployment("true", "")).pod(labelled("a").on("n1"));
        scene.pod(labelled("a").on("n1").terminating());
        scene.tell(deployment("false", "")).delete("a");
        assertThat(scene.reservations()).isEmpty();
        assertThat(scene.cpuKept("n1")).isZero();
    }

    @Test
    void aPodOfAStatefulSetComesBackUnderItsName() {
        PodBuilder pod = aPod("web-0").asking("1 cpu").ownedBy("StatefulSet/web");
        assertThat(ReturnKey.of(pod.build())).contains(new ReturnKey("default", "web-0"));
        PodBuilder extended = aPod("web-0").ownedBy("StatefulSetExtension/web").labelled("name", "other");
        assertThat(ReturnKey.of(extended.build())).contains(new ReturnKey("default", "web"));
        PodBuilder named = aPod("web-0").ownedBy("StatefulSet/web").labelled("name", "other");
        assertThat(ReturnKey.of(named.build())).contains(new ReturnKey("default", "other"));
        PodBuilder indexed = extended.annotated(ReturnKey.INDEX, "i");
        assertThat(ReturnKey.of(indexed.build())).contains(new ReturnKey("default", "i"));
        assertThat(ReturnKey.of(aPod("job-x").ownedBy("Job/job").build())).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "'',     '',     60",
        "'',     30,     30",
        "7200,   '',   7200",
        "7200,   30,   7200",
        "+90,    30,     90",
        "60s,    30,     30",
        "0,      30,     30",
        "-5,     '',     60",
        "1.5,    abc,    60",
        "9223372037, 30, 30",
        "99999999999999999999, 30, 30",
    })
    void thePodsWordGoesBeforeTheDeploymentsAndThatBeforeTheUsual(String pod, String deployment, long seconds) {
        scene.tell(deployment("true", deployment));
        PodBuilder a = labelled("a").on("n1");
        scene.pod(pod.isEmpty() ? a : a.annotated(Words.TTL, pod)).delete("a");
        assertThat(ttlOf("a")).isEqualTo(seconds);
    }

    @Test
    void aDeploymentsTimeCountsThoughThePodAsksByItself() {
        scene.tell(deployment("", "30"));
        scene.pod(labelled("a").annotated(Words.RESERVATION, "true").on("n1")).delete("a");
        assertThat(ttlOf("a")).isEqualTo(30);
    }

    @ParameterizedTest
    @ValueSource(strings = {"60s", "0", "-1", "1e3", " 60"})
    void aTimeThatIsNoneIsAnsweredWhereItWasWritten(String bad) {
        scene.tell(deployment("true", bad));
        scene.pod(labelled("a").annotated(Words.TTL, bad).on("n1"));
        String words = ("annotation godel.bytedance.com/reservation-ttl (%s) must be a whole number of seconds from 1"
                        + " to 9223372036; it is taken for not there")
                .formatted(bad);
        assertThat(scene.events).contains("Deployment default/res-dp: " + words, "Pod default/a: " + words);
    }

    @Test
    void aWishThatIsNeitherTrueNorFalseIsAnsweredWhereItWasWritten() {
        scene.tell(deployment("yes", ""));
        scene.pod(labelled("a").annotated(Words.RESERVATION, "True").on("n1")).delete("a");
        assertThat(scene.reservations()).isEmpty();
        assertThat(scene.events)
                .containsOnlyOnce(
                        "Deployment default/res-dp: annotation godel.bytedance.com/reservation (yes) must be true or"
                                + " false; it is taken for false",
                        "Pod default/a: annotation godel.bytedance.com/reservation (True) must be true or false; it is"
                                + " taken for false");
    }

    @Test
    void podWithoutAReturnKeyThatWasCreatedWhileBerthWasDownIsToldOnceAfterTheStart() {
        scene.createUnseen(aPod("keyless").asking("1 cpu").annotated(Words.RESERVATION, "true"))
                .createUnseen(aPod("bound")
                        .asking("1 cpu")
                        .annotated(Words.TTL, "soon")
                        .on("n1"))
                .restart();
        scene.pod(aPod("keyless")
                .asking("1 cpu")
                .annotated(Words.RESERVATION, "true")
                .on("n1"));
        assertThat(scene.events)
                .containsExactlyInAnyOrder(
                        "Pod default/keyless: No reservation will be created: the pod has no return key. Set the"
                                + " annotation godel.bytedance.com/reservation-index.",
                        "Pod default/bound: annotation godel.bytedance.com/reservation-ttl (soon) must be a whole number"
                                + " of seconds from 1 to 9223372036; it is taken for not there");
    }

    @Test
    void podThatWasCreatedAndDeletedWhileBerthWasDownIsNotToldAnything() {
        PodBuilder pod = aPod("keyless").asking("1 cpu").annotated(Words.RESERVATION, "true");
        scene.restart(pod.build());
        assertThat(scene.events).isEmpty();
    }

    @Test
    void deploymentWithAMalformedAnnotationThatWasCreatedWhileBerthWasDownIsToldAfterTheStart() {
        scene.exists(deployment("yes", "")).restart();
        assertThat(scene.events)
                .containsExactly("Deployment default/res-dp: annotation godel.bytedance.com/reservation (yes) must be"
                        + " true or false; it is taken for false");
    }
}
