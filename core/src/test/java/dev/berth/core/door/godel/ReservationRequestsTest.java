package dev.berth.core.door.godel;

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

/** The requests of Deployments for their pods, and the TTLs. */
class ReservationRequestsTest {
    private final GodelScene scene =
            new GodelScene().upsert(aNode("n1").with("8 cpu")).sync();

    private static GodelFact.RequestUpserted deployment(String reservation, String ttl) {
        return new GodelFact.RequestUpserted(new ReservationRequest("default", "res-dp", "d", reservation, ttl));
    }

    private static PodBuilder labelled(String name) {
        return aPod(name).asking("1 cpu").labelled("name", "res-dp");
    }

    private static PodBuilder owned(String name, String hash) {
        return aPod(name).asking("1 cpu").labelled("pod-template-hash", hash).ownedBy("ReplicaSet/res-dp-" + hash);
    }

    private long ttlOf(String reservation) {
        return scene.findReservation(reservation)
                .flatMap(GodelReservation::ttlSeconds)
                .orElse(0L);
    }

    @Test
    void podsOfAnAnnotatedDeploymentAreHeldForItsNextPods() {
        scene.addObject(deployment("true", ""));
        scene.upsert(labelled("a").on("n1")).upsert(labelled("b").on("n1"));
        scene.deletePod("a").deletePod("b");
        assertThat(scene.reservationNames()).containsExactly("a", "b");
        scene.upsert(labelled("c")).upsert(labelled("d")).upsert(labelled("e"));
        assertThat(Optional.of(scene.matchedReservationOf("c"))).contains("default/a-placeholder");
        assertThat(scene.matchedReservationOf("d")).isEqualTo("default/b-placeholder");
        assertThat(scene.matchedReservationOf("e"))
                .as("only two pods were held")
                .isEmpty();
    }

    @Test
    void deploymentIsFoundByThePodsReplicaSetAcrossRevisions() {
        scene.addObject(deployment("true", ""));
        scene.upsert(owned("a", "86cc").on("n1")).deletePod("a");
        assertThat(scene.findReservation("a").orElseThrow().key()).isEqualTo("res-dp");
        scene.upsert(owned("b", "77ff"));
        assertThat(scene.matchedReservationOf("b")).isEqualTo("default/a-placeholder");
    }

    @Test
    void annotationRemovedBeforeTheDeletionRequestsNothing() {
        scene.addObject(deployment("true", "")).upsert(labelled("a").on("n1"));
        scene.addObject(new GodelFact.RequestDeleted("d")).deletePod("a");
        assertThat(scene.reservationNames()).isEmpty();
    }

    @Test
    void annotationRemovedWhileThePodTerminatesRequestsNothing() {
        scene.addObject(deployment("true", "")).upsert(labelled("a").on("n1"));
        scene.upsert(labelled("a").on("n1").terminating());
        scene.addObject(deployment("false", "")).deletePod("a");
        assertThat(scene.reservationNames()).isEmpty();
        assertThat(scene.cpuHeld("n1")).isZero();
    }

    @Test
    void podOfAStatefulSetReturnsUnderItsName() {
        PodBuilder pod = aPod("web-0").asking("1 cpu").ownedBy("StatefulSet/web");
        assertThat(ReturnKey.of(pod.build())).contains(new ReturnKey("default", "web-0"));
        PodBuilder extended = aPod("web-0").ownedBy("StatefulSetExtension/web").labelled("name", "other");
        assertThat(ReturnKey.of(extended.build())).contains(new ReturnKey("default", "web"));
        PodBuilder named = aPod("web-0").ownedBy("StatefulSet/web").labelled("name", "other");
        assertThat(ReturnKey.of(named.build())).contains(new ReturnKey("default", "other"));
        PodBuilder indexed = extended.annotated(GodelAnnotations.INDEX, "i");
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
    void podTtlOverridesDeploymentTtlWhichOverridesTheDefault(String pod, String deployment, long seconds) {
        scene.addObject(deployment("true", deployment));
        PodBuilder a = labelled("a").on("n1");
        scene.upsert(pod.isEmpty() ? a : a.annotated(GodelAnnotations.TTL, pod)).deletePod("a");
        assertThat(ttlOf("a")).isEqualTo(seconds);
    }

    @Test
    void deploymentTtlAppliesToAPodThatRequestsItself() {
        scene.addObject(deployment("", "30"));
        scene.upsert(labelled("a")
                        .annotated(GodelAnnotations.RESERVATION, "true")
                        .on("n1"))
                .deletePod("a");
        assertThat(ttlOf("a")).isEqualTo(30);
    }

    @ParameterizedTest
    @ValueSource(strings = {"60s", "0", "-1", "1e3", " 60"})
    void malformedTtlIsReportedOnTheObjectThatHasIt(String bad) {
        scene.addObject(deployment("true", bad));
        scene.upsert(labelled("a").annotated(GodelAnnotations.TTL, bad).on("n1"));
        String words = ("annotation godel.bytedance.com/reservation-ttl (%s) must be a whole number of seconds from 1"
                        + " to 9223372036. The annotation is ignored.")
                .formatted(bad);
        assertThat(scene.events).contains("Deployment default/res-dp: " + words, "Pod default/a: " + words);
    }

    @Test
    void reservationAnnotationThatIsNotABooleanIsReportedOnTheObjectThatHasIt() {
        scene.addObject(deployment("yes", ""));
        scene.upsert(labelled("a")
                        .annotated(GodelAnnotations.RESERVATION, "True")
                        .on("n1"))
                .deletePod("a");
        assertThat(scene.reservationNames()).isEmpty();
        assertThat(scene.events)
                .containsOnlyOnce(
                        "Deployment default/res-dp: annotation godel.bytedance.com/reservation (yes) must be true or"
                                + " false. The value false is used.",
                        "Pod default/a: annotation godel.bytedance.com/reservation (True) must be true or false. The"
                                + " value false is used.");
    }

    @Test
    void podWithoutAReturnKeyCreatedWhileBerthWasDownGetsOneWarningAfterTheStart() {
        scene.upsertUnseen(aPod("keyless").asking("1 cpu").annotated(GodelAnnotations.RESERVATION, "true"))
                .upsertUnseen(aPod("bound")
                        .asking("1 cpu")
                        .annotated(GodelAnnotations.TTL, "soon")
                        .on("n1"))
                .restart();
        scene.upsert(aPod("keyless")
                .asking("1 cpu")
                .annotated(GodelAnnotations.RESERVATION, "true")
                .on("n1"));
        assertThat(scene.events)
                .containsExactlyInAnyOrder(
                        "Pod default/keyless: No Reservation will be created: the pod has no return key. Set the"
                                + " annotation godel.bytedance.com/reservation-index.",
                        "Pod default/bound: annotation godel.bytedance.com/reservation-ttl (soon) must be a whole number"
                                + " of seconds from 1 to 9223372036. The annotation is ignored.");
    }

    @Test
    void podCreatedAndDeletedWhileBerthWasDownGetsNoWarning() {
        PodBuilder pod = aPod("keyless").asking("1 cpu").annotated(GodelAnnotations.RESERVATION, "true");
        scene.restart(pod.build());
        assertThat(scene.events).isEmpty();
    }

    @Test
    void deploymentWithAMalformedAnnotationCreatedWhileBerthWasDownGetsAWarningAfterTheStart() {
        scene.addObjectUnseen(deployment("yes", "")).restart();
        assertThat(scene.events)
                .containsExactly("Deployment default/res-dp: annotation godel.bytedance.com/reservation (yes) must be"
                        + " true or false. The value false is used.");
    }
}
