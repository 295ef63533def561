package dev.berth.sandbox.kubelet.podlifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.simulation.TestCluster;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.StatusConditions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PodLifecycleTest {
    private static final Instant START = Instant.parse("2026-11-15T12:00:00Z");

    private ObjectNode pod = pod("", "Always", "");
    private final PodRuntimeState run = new PodRuntimeState(pod, "node-0", "10.0.0.2", START);

    private static ObjectNode pod(String annotations, String restartPolicy, String metadata) {
        return TestCluster.parse("""
                metadata: {name: p, namespace: default, uid: u, generation: 1, annotations: {%s} %s}
                spec: {restartPolicy: %s, containers: [{name: main, image: nginx}]}
                status: {phase: Pending}
                """.formatted(annotations, metadata, restartPolicy));
    }

    private PodLifecycle time() {
        return new PodLifecycle(pod, run, SimulationAnnotations.of(pod, Duration.ZERO), Duration.ofSeconds(2));
    }

    private Optional<Instant> advanceTo(int seconds) {
        return time().advanceTo(START.plusSeconds(seconds));
    }

    private ObjectNode status(int seconds) {
        Instant now = START.plusSeconds(seconds);
        return new PodStatusGenerator(pod, run, time().isReady(now), now).toPatch("172.16.0.2");
    }

    private static boolean holds(ObjectNode status, String type) {
        return StatusConditions.findInStatus(status, type)
                .filter(found -> StatusConditions.hasStatus(found, "True"))
                .isPresent();
    }

    /** Up to Kubernetes 1.32 pods had no generation, and what is said of one was dropped. */
    @Test
    void aPodWithoutGenerationGetsNoObservedGeneration() {
        ((ObjectNode) pod.path("metadata")).remove("generation");
        advanceTo(0);
        assertThat(status(0).toString()).contains("Running").doesNotContain("observedGeneration");
    }

    @Test
    void aPodRunsAtOnceAndIsReady() {
        assertThat(advanceTo(0)).isEmpty();
        ObjectNode status = status(0);
        assertThat(NestedFields.text(status, "phase")).isEqualTo("Running");
        assertThat(NestedFields.text(status, "podIP")).isEqualTo("10.0.0.2");
        for (String type :
                List.of("PodReadyToStartContainers", "Initialized", "ContainersReady", "Ready", "PodScheduled")) {
            assertThat(holds(status, type)).as(type).isTrue();
        }
        ObjectNode container = NestedFields.objects(status, "containerStatuses").get(0);
        assertThat(NestedFields.flag(container, "ready")).isTrue();
        assertThat(NestedFields.text(container, "state", "running", "startedAt"))
                .isEqualTo("2026-11-15T12:00:00Z");
        assertThat(NestedFields.text(container, "imageID")).startsWith("simulated://nginx@sha256:");
    }

    @Test
    void startAfterAndReadyAfterDelayThePod() {
        pod = pod("simulate.berth.dev/start-after: 3s, simulate.berth.dev/ready-after: 1m", "Always", "");
        assertThat(advanceTo(0)).contains(START.plusSeconds(3));
        assertThat(NestedFields.text(status(0), "phase")).isEqualTo("Pending");
        assertThat(NestedFields.text(
                        NestedFields.objects(status(0), "containerStatuses").get(0), "state", "waiting", "reason"))
                .isEqualTo("ContainerCreating");
        assertThat(advanceTo(3)).contains(START.plusSeconds(63));
        assertThat(NestedFields.text(status(3), "phase")).isEqualTo("Running");
        assertThat(holds(status(3), "Ready")).isFalse();
        assertThat(advanceTo(63)).isEmpty();
        assertThat(holds(status(63), "Ready")).isTrue();
    }

    @Test
    void aPodMayNeverBecomeReady() {
        pod = pod("simulate.berth.dev/ready-after: never", "Always", "");
        assertThat(advanceTo(9_999)).isEmpty();
        assertThat(holds(status(9_999), "Ready")).isFalse();
        assertThat(StatusConditions.findInStatus(status(9_999), "Ready"))
                .hasValueSatisfying(ready -> assertThat(NestedFields.text(ready, "message"))
                        .isEqualTo("containers with unready status: [main]"));
    }

    @Test
    void theExitCodeDecidesBetweenSucceededAndFailed() {
        pod = pod("simulate.berth.dev/exit-after: 5s", "Never", "");
        advanceTo(5);
        assertThat(NestedFields.text(status(5), "phase")).isEqualTo("Succeeded");
        assertThat(StatusConditions.findInStatus(status(5), "Ready"))
                .hasValueSatisfying(
                        ready -> assertThat(NestedFields.text(ready, "reason")).isEqualTo("PodCompleted"));

        PodRuntimeState other = new PodRuntimeState(pod, "node-0", "10.0.0.3", START);
        pod = pod("simulate.berth.dev/exit-after: 5s, simulate.berth.dev/exit-code: '3'", "OnFailure", "");
        new PodLifecycle(pod, other, SimulationAnnotations.of(pod, Duration.ZERO), Duration.ZERO)
                .advanceTo(START.plusSeconds(5));
        assertThat(other.stage()).isEqualTo(PodRuntimeState.Stage.RUNNING);
        assertThat(other.restarts()).isEqualTo(1);
    }

    @Test
    void restartsHaveAnExponentialBackoff() {
        pod = pod("simulate.berth.dev/exit-after: 1s, simulate.berth.dev/exit-code: '1'", "Always", "");
        List<Long> ends = new ArrayList<>();
        Instant now = START;
        while (ends.size() < 9) {
            int before = run.restarts();
            Optional<Instant> due = time().advanceTo(now);
            if (run.restarts() > before) {
                ends.add(Duration.between(START, now).toSeconds());
            }
            now = due.orElseThrow();
        }
        assertThat(ends).containsExactly(1L, 12L, 33L, 74L, 155L, 316L, 617L, 918L, 1219L);
    }

    @Test
    void theStatusDuringBackoffIsCrashLoopBackOff() {
        pod = pod("simulate.berth.dev/exit-after: 1s, simulate.berth.dev/exit-code: '1'", "Always", "");
        advanceTo(2);
        ObjectNode container =
                NestedFields.objects(status(2), "containerStatuses").get(0);
        assertThat(NestedFields.text(container, "state", "waiting", "reason")).isEqualTo("CrashLoopBackOff");
        assertThat(NestedFields.text(container, "state", "waiting", "message"))
                .isEqualTo("back-off 10s restarting failed container=main pod=p_default(u)");
        assertThat(NestedFields.intValue(container, 0, "lastState", "terminated", "exitCode"))
                .isEqualTo(1);
        assertThat(NestedFields.intValue(container, 0, "restartCount")).isEqualTo(1);
        assertThat(NestedFields.text(status(2), "phase")).isEqualTo("Running");
    }

    @Test
    void aDeletedPodStopsAfterStopAfterButWithinItsGracePeriod() {
        advanceTo(0);
        pod = pod("", "Always", ", deletionTimestamp: '2026-11-15T12:00:40Z', deletionGracePeriodSeconds: 30");
        assertThat(advanceTo(10)).contains(START.plusSeconds(12));
        assertThat(advanceTo(12)).isEmpty();
        assertThat(NestedFields.text(status(12), "phase")).isEqualTo("Succeeded");
        assertThat(run.exit())
                .hasValueSatisfying(exit -> assertThat(exit.code()).isZero());
    }

    @Test
    void aPodThatDoesNotStopIsKilledAfterItsGracePeriod() {
        advanceTo(0);
        pod = pod(
                "simulate.berth.dev/stop-after: 1h",
                "Always",
                ", deletionTimestamp: '2026-11-15T12:00:40Z', deletionGracePeriodSeconds: 30");
        assertThat(advanceTo(10)).contains(START.plusSeconds(40));
        advanceTo(40);
        assertThat(run.exit())
                .hasValueSatisfying(exit -> assertThat(exit.code()).isEqualTo(137));
        assertThat(NestedFields.text(status(40), "phase")).isEqualTo("Failed");
    }

    @Test
    void aPodWithAFailureAnnotationFailsWithTheGivenReason() {
        advanceTo(0);
        pod = pod("simulate.berth.dev/fail: Evicted", "Always", "");
        advanceTo(1);
        assertThat(NestedFields.text(status(1), "phase")).isEqualTo("Failed");
        assertThat(NestedFields.text(status(1), "reason")).isEqualTo("Evicted");
    }

    @Test
    void initContainersAreCompletedAndSidecarsRunWhenThePodRuns() {
        pod = TestCluster.parse("""
                metadata: {name: p, namespace: default, uid: u, annotations: {simulate.berth.dev/start-after: 1s}}
                spec:
                  initContainers: [{name: setup, image: a}, {name: proxy, image: b, restartPolicy: Always}]
                  containers: [{name: main, image: c}]
                """);
        advanceTo(0);
        assertThat(StatusConditions.findInStatus(status(0), "Initialized"))
                .hasValueSatisfying(found -> assertThat(NestedFields.text(found, "message"))
                        .isEqualTo("containers with incomplete status: [setup proxy]"));
        advanceTo(1);
        List<ObjectNode> inits = NestedFields.objects(status(1), "initContainerStatuses");
        assertThat(NestedFields.text(inits.get(0), "state", "terminated", "reason"))
                .isEqualTo("Completed");
        assertThat(NestedFields.at(inits.get(1), "state", "running").isObject()).isTrue();
        assertThat(holds(status(1), "Initialized")).isTrue();
    }

    @Test
    void readinessGatesKeepAPodFromBeingReady() {
        pod = TestCluster.parse("""
                metadata: {name: p, namespace: default, uid: u}
                spec: {readinessGates: [{conditionType: example.com/ready}], containers: [{name: main, image: c}]}
                """);
        advanceTo(0);
        assertThat(holds(status(0), "ContainersReady")).isTrue();
        assertThat(StatusConditions.findInStatus(status(0), "Ready"))
                .hasValueSatisfying(
                        found -> assertThat(NestedFields.text(found, "reason")).isEqualTo("ReadinessGatesNotReady"));
    }

    @Test
    void anEqualStatusNeedsNoPatch() {
        advanceTo(0);
        ObjectNode written = status(0);
        pod.set("status", TestCluster.parse(written.toString()));
        assertThat(StatusPatchCheck.changesStatus(pod.path("status"), status(5)))
                .isFalse();
        StatusConditions.findInObject(pod, "Ready").ifPresent(ready -> ready.put("status", "False"));
        assertThat(StatusPatchCheck.changesStatus(pod.path("status"), status(5)))
                .isTrue();
    }

    @Test
    void thePodStateIsRestoredFromTheStatus() {
        advanceTo(0);
        pod.set("status", status(0));
        PodRuntimeState resumed = PodRuntimeState.fromStatus(pod, "node-0", START.plusSeconds(99));
        assertThat(resumed.stage()).isEqualTo(PodRuntimeState.Stage.RUNNING);
        assertThat(resumed.address()).isEqualTo("10.0.0.2");
        assertThat(resumed.admittedAt()).isEqualTo(START);
    }

    @Test
    void anInvalidAnnotationValueIsRejectedWithTheExpectedForm() {
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

    private static SimulationAnnotations instructions(String annotation) {
        return SimulationAnnotations.of(pod(annotation, "Always", ""), Duration.ZERO);
    }
}
