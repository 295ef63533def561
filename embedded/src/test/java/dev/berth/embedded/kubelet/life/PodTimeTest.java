package dev.berth.embedded.kubelet.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.object.Conditions;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.simulation.Cluster;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PodTimeTest {
    private static final Instant START = Instant.parse("2026-11-15T12:00:00Z");

    private ObjectNode pod = pod("", "Always", "");
    private final PodRun run = new PodRun(pod, "node-0", "10.0.0.2", START);

    private static ObjectNode pod(String annotations, String restartPolicy, String metadata) {
        return Cluster.parse("""
                metadata: {name: p, namespace: default, uid: u, generation: 1, annotations: {%s} %s}
                spec: {restartPolicy: %s, containers: [{name: main, image: nginx}]}
                status: {phase: Pending}
                """.formatted(annotations, metadata, restartPolicy));
    }

    private PodTime time() {
        return new PodTime(pod, run, Instructions.of(pod, Duration.ZERO), Duration.ofSeconds(2));
    }

    private Optional<Instant> pass(int seconds) {
        return time().pass(START.plusSeconds(seconds));
    }

    private ObjectNode status(int seconds) {
        Instant now = START.plusSeconds(seconds);
        return new PodStatus(pod, run, time().ready(now), now).patch("172.16.0.2");
    }

    private static boolean holds(ObjectNode status, String type) {
        return Conditions.find(status, type)
                .filter(found -> Conditions.is(found, "True"))
                .isPresent();
    }

    /** Up to Kubernetes 1.32 pods had no generation, and what is said of one was dropped. */
    @Test
    void aPodWithoutAGenerationIsNotSaidToHaveBeenSeenAtOne() {
        ((ObjectNode) pod.path("metadata")).remove("generation");
        pass(0);
        assertThat(status(0).toString()).contains("Running").doesNotContain("observedGeneration");
    }

    @Test
    void aPodRunsAtOnceAndIsReady() {
        assertThat(pass(0)).isEmpty();
        ObjectNode status = status(0);
        assertThat(Json.text(status, "phase")).isEqualTo("Running");
        assertThat(Json.text(status, "podIP")).isEqualTo("10.0.0.2");
        for (String type :
                List.of("PodReadyToStartContainers", "Initialized", "ContainersReady", "Ready", "PodScheduled")) {
            assertThat(holds(status, type)).as(type).isTrue();
        }
        ObjectNode container = Json.objects(status, "containerStatuses").get(0);
        assertThat(Json.flag(container, "ready")).isTrue();
        assertThat(Json.text(container, "state", "running", "startedAt")).isEqualTo("2026-11-15T12:00:00Z");
        assertThat(Json.text(container, "imageID")).startsWith("simulated://nginx@sha256:");
    }

    @Test
    void aPodMayTakeItsTimeToStartAndToBecomeReady() {
        pod = pod("simulate.berth.dev/start-after: 3s, simulate.berth.dev/ready-after: 1m", "Always", "");
        assertThat(pass(0)).contains(START.plusSeconds(3));
        assertThat(Json.text(status(0), "phase")).isEqualTo("Pending");
        assertThat(Json.text(Json.objects(status(0), "containerStatuses").get(0), "state", "waiting", "reason"))
                .isEqualTo("ContainerCreating");
        assertThat(pass(3)).contains(START.plusSeconds(63));
        assertThat(Json.text(status(3), "phase")).isEqualTo("Running");
        assertThat(holds(status(3), "Ready")).isFalse();
        assertThat(pass(63)).isEmpty();
        assertThat(holds(status(63), "Ready")).isTrue();
    }

    @Test
    void aPodMayNeverBecomeReady() {
        pod = pod("simulate.berth.dev/ready-after: never", "Always", "");
        assertThat(pass(9_999)).isEmpty();
        assertThat(holds(status(9_999), "Ready")).isFalse();
        assertThat(Conditions.find(status(9_999), "Ready"))
                .hasValueSatisfying(ready ->
                        assertThat(Json.text(ready, "message")).isEqualTo("containers with unready status: [main]"));
    }

    @Test
    void aPodThatEndsSucceedsOrFailsByItsCode() {
        pod = pod("simulate.berth.dev/exit-after: 5s", "Never", "");
        pass(5);
        assertThat(Json.text(status(5), "phase")).isEqualTo("Succeeded");
        assertThat(Conditions.find(status(5), "Ready"))
                .hasValueSatisfying(
                        ready -> assertThat(Json.text(ready, "reason")).isEqualTo("PodCompleted"));

        PodRun other = new PodRun(pod, "node-0", "10.0.0.3", START);
        pod = pod("simulate.berth.dev/exit-after: 5s, simulate.berth.dev/exit-code: '3'", "OnFailure", "");
        new PodTime(pod, other, Instructions.of(pod, Duration.ZERO), Duration.ZERO).pass(START.plusSeconds(5));
        assertThat(other.stage()).isEqualTo(PodRun.Stage.RUNNING);
        assertThat(other.restarts()).isEqualTo(1);
    }

    @Test
    void restartsWaitEverLonger() {
        pod = pod("simulate.berth.dev/exit-after: 1s, simulate.berth.dev/exit-code: '1'", "Always", "");
        List<Long> ends = new ArrayList<>();
        Instant now = START;
        while (ends.size() < 9) {
            int before = run.restarts();
            Optional<Instant> due = time().pass(now);
            if (run.restarts() > before) {
                ends.add(Duration.between(START, now).toSeconds());
            }
            now = due.orElseThrow();
        }
        assertThat(ends).containsExactly(1L, 12L, 33L, 74L, 155L, 316L, 617L, 918L, 1219L);
    }

    @Test
    void whileItWaitsTheStatusSaysWhy() {
        pod = pod("simulate.berth.dev/exit-after: 1s, simulate.berth.dev/exit-code: '1'", "Always", "");
        pass(2);
        ObjectNode container = Json.objects(status(2), "containerStatuses").get(0);
        assertThat(Json.text(container, "state", "waiting", "reason")).isEqualTo("CrashLoopBackOff");
        assertThat(Json.text(container, "state", "waiting", "message"))
                .isEqualTo("back-off 10s restarting failed container=main pod=p_default(u)");
        assertThat(Json.number(container, 0, "lastState", "terminated", "exitCode"))
                .isEqualTo(1);
        assertThat(Json.number(container, 0, "restartCount")).isEqualTo(1);
        assertThat(Json.text(status(2), "phase")).isEqualTo("Running");
    }

    @Test
    void aDeletedPodStopsAfterItsTimeAndAtMostItsGrace() {
        pass(0);
        pod = pod("", "Always", ", deletionTimestamp: '2026-11-15T12:00:40Z', deletionGracePeriodSeconds: 30");
        assertThat(pass(10)).contains(START.plusSeconds(12));
        assertThat(pass(12)).isEmpty();
        assertThat(Json.text(status(12), "phase")).isEqualTo("Succeeded");
        assertThat(run.exit())
                .hasValueSatisfying(exit -> assertThat(exit.code()).isZero());
    }

    @Test
    void aPodThatDoesNotStopIsKilledWhenItsGraceIsOver() {
        pass(0);
        pod = pod(
                "simulate.berth.dev/stop-after: 1h",
                "Always",
                ", deletionTimestamp: '2026-11-15T12:00:40Z', deletionGracePeriodSeconds: 30");
        assertThat(pass(10)).contains(START.plusSeconds(40));
        pass(40);
        assertThat(run.exit())
                .hasValueSatisfying(exit -> assertThat(exit.code()).isEqualTo(137));
        assertThat(Json.text(status(40), "phase")).isEqualTo("Failed");
    }

    @Test
    void aPodToldToFailDoesSoWithItsReason() {
        pass(0);
        pod = pod("simulate.berth.dev/fail: Evicted", "Always", "");
        pass(1);
        assertThat(Json.text(status(1), "phase")).isEqualTo("Failed");
        assertThat(Json.text(status(1), "reason")).isEqualTo("Evicted");
    }

    @Test
    void initContainersAreDoneWhenThePodRunsAndSidecarsRunOn() {
        pod = Cluster.parse("""
                metadata: {name: p, namespace: default, uid: u, annotations: {simulate.berth.dev/start-after: 1s}}
                spec:
                  initContainers: [{name: setup, image: a}, {name: proxy, image: b, restartPolicy: Always}]
                  containers: [{name: main, image: c}]
                """);
        pass(0);
        assertThat(Conditions.find(status(0), "Initialized"))
                .hasValueSatisfying(found -> assertThat(Json.text(found, "message"))
                        .isEqualTo("containers with incomplete status: [setup proxy]"));
        pass(1);
        List<ObjectNode> inits = Json.objects(status(1), "initContainerStatuses");
        assertThat(Json.text(inits.get(0), "state", "terminated", "reason")).isEqualTo("Completed");
        assertThat(Json.at(inits.get(1), "state", "running").isObject()).isTrue();
        assertThat(holds(status(1), "Initialized")).isTrue();
    }

    @Test
    void readinessGatesKeepAPodFromBeingReady() {
        pod = Cluster.parse("""
                metadata: {name: p, namespace: default, uid: u}
                spec: {readinessGates: [{conditionType: example.com/ready}], containers: [{name: main, image: c}]}
                """);
        pass(0);
        assertThat(holds(status(0), "ContainersReady")).isTrue();
        assertThat(Conditions.find(status(0), "Ready"))
                .hasValueSatisfying(
                        found -> assertThat(Json.text(found, "reason")).isEqualTo("ReadinessGatesNotReady"));
    }

    @Test
    void aStatusThatSaysTheSameIsNoDifference() {
        pass(0);
        ObjectNode written = status(0);
        pod.set("status", Cluster.parse(written.toString()));
        assertThat(StatusDifference.between(pod.path("status"), status(5))).isFalse();
        Conditions.of(pod, "Ready").ifPresent(ready -> ready.put("status", "False"));
        assertThat(StatusDifference.between(pod.path("status"), status(5))).isTrue();
    }

    @Test
    void aRunIsTakenUpAgainFromTheStatus() {
        pass(0);
        pod.set("status", status(0));
        PodRun resumed = PodRun.resumed(pod, "node-0", START.plusSeconds(99));
        assertThat(resumed.stage()).isEqualTo(PodRun.Stage.RUNNING);
        assertThat(resumed.address()).isEqualTo("10.0.0.2");
        assertThat(resumed.admittedAt()).isEqualTo(START);
    }

    @Test
    void aValueThatMeansNothingIsRefusedWithWhatWouldDo() {
        assertThatThrownBy(() -> instructions("simulate.berth.dev/exit-after: soon"))
                .hasMessage(
                        "annotation simulate.berth.dev/exit-after (soon) must be a time such as 5s, 1m30s or 250ms");
        assertThatThrownBy(() -> instructions("simulate.berth.dev/exit-code: '256'"))
                .hasMessage("annotation simulate.berth.dev/exit-code (256) must be a number from 0 to 255");
        assertThat(instructions("simulate.berth.dev/exit-after: 1h2m3.5s").exitAfter())
                .contains(Duration.ofSeconds(3723).plusMillis(500));
        assertThat(instructions("simulate.berth.dev/exit-after: 250ms").exitAfter())
                .contains(Duration.ofMillis(250));
    }

    private static Instructions instructions(String annotation) {
        return Instructions.of(pod(annotation, "Always", ""), Duration.ZERO);
    }
}
