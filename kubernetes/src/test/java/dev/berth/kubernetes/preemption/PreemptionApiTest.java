package dev.berth.kubernetes.preemption;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.effect.Effect.PodRef;
import dev.berth.core.effect.EventTarget;
import dev.berth.core.preemption.PodDisruptionBudget;
import dev.berth.core.preemption.PreemptionWrite;
import dev.berth.core.preemption.Preemptor;
import dev.berth.kubernetes.effects.WriteRequest;
import dev.berth.kubernetes.projection.PodProjection;
import dev.berth.kubernetes.projection.ReadResult;
import dev.berth.kubernetes.projection.WireObjects;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PreemptionApiTest {
    private static final String STRATEGIC = "application/strategic-merge-patch+json";
    private static final Preemptor VIP =
            Preemptor.ofPod(new PodRef("shop", "vip", new PodUid("v-1"), "berth-scheduler"));
    private static final PodRef VICTIM = new PodRef("batch", "job", new PodUid("j-1"), "default-scheduler");

    @Test
    void aVictimGetsTheDisruptionTargetCondition() {
        Instant at = Instant.parse("2026-01-02T03:04:05.678Z");
        WriteRequest request = PreemptionApi.encodeMark(new PreemptionWrite.Mark(VICTIM, VIP, at));
        assertThat(line(request)).isEqualTo("PATCH /api/v1/namespaces/batch/pods/job/status " + STRATEGIC);
        assertThat(body(request)).isEqualTo(WireObjects.yaml("""
                metadata: {uid: j-1}
                status:
                  conditions:
                  - type: DisruptionTarget
                    status: "True"
                    reason: PreemptionByScheduler
                    message: "berth-scheduler: preempting to accommodate a higher priority pod"
                    lastTransitionTime: "2026-01-02T03:04:05Z"
                """));
    }

    @Test
    void theConditionOfAVictimNamesTheReservationThatPreemptsIt() {
        EventTarget reservation = new EventTarget(
                "scheduling.koordinator.sh/v1alpha1", "Reservation", "", "gpu", "r-1", "koord-scheduler");
        WriteRequest request = PreemptionApi.encodeMark(
                new PreemptionWrite.Mark(VICTIM, new Preemptor(reservation, "koord-scheduler"), Instant.EPOCH));
        assertThat(body(request).at("/status/conditions/0/message").asText())
                .isEqualTo("koord-scheduler: preempting to accommodate Reservation gpu of higher priority");
    }

    /** Without a grace period: the pod has its own. */
    @Test
    void aVictimIsDeletedByUidWithItsOwnGracePeriod() {
        WriteRequest request = PreemptionApi.encodeDelete(new PreemptionWrite.Delete(VICTIM, VIP, "node-1"));
        assertThat(line(request)).isEqualTo("DELETE /api/v1/namespaces/batch/pods/job application/json");
        assertThat(body(request)).isEqualTo(WireObjects.yaml("""
                kind: DeleteOptions
                apiVersion: v1
                preconditions: {uid: j-1}
                """));
    }

    @Test
    void aBudgetIsReadFromJsonAndProtobuf() {
        Requirement old = new Requirement("old", Requirement.Operator.DOES_NOT_EXIST, List.of());
        LabelSelector selector = new LabelSelector(Labels.of("app", "web"), List.of(old));
        PodDisruptionBudget budget =
                new PodDisruptionBudget("b-1", "shop", Optional.of(selector), 2, Set.of("web-0", "web-1"));
        assertBudget(budget, """
                spec:
                  minAvailable: 3
                  selector:
                    matchLabels: {app: web}
                    matchExpressions: [{key: old, operator: DoesNotExist}]
                status:
                  currentHealthy: 5
                  desiredHealthy: 3
                  disruptionsAllowed: 2
                  disruptedPods: {web-1: "2026-01-02T03:04:05Z", web-0: "2026-01-02T03:04:05Z"}
                  expectedPods: 5
                """);
    }

    @Test
    void aBudgetWithoutStatusAllowsNoDisruption() {
        LabelSelector selector = LabelSelector.of(Labels.of("app", "web"));
        assertBudget(
                new PodDisruptionBudget("b-1", "shop", Optional.of(selector), 0, Set.of()),
                "spec: {maxUnavailable: 1, selector: {matchLabels: {app: web}}}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"spec: {minAvailable: 1}", "spec: {minAvailable: 1, selector: {}}"})
    void aBudgetWithAnEmptySelectorProtectsNoPod(String spec) {
        assertBudget(new PodDisruptionBudget("b-1", "shop", Optional.empty(), 0, Set.of()), spec);
    }

    @Test
    void aBudgetWithAnInvalidSelectorIsReported() {
        ReadResult<PodDisruptionBudget> readResult = WireObjects.readFromJson(
                new PodDisruptionBudgetProjection(),
                budget("spec: {selector: {matchExpressions: [{key: app, operator: Resembles, values: [a]}]}}"));
        assertThat(readResult.view()).isEmpty();
        assertThat(readResult.problem()).contains("poddisruptionbudget", "Resembles");
    }

    @ParameterizedTest
    @CsvSource({
        "DisruptionTarget, True, PreemptionByScheduler, true",
        "DisruptionTarget, False, PreemptionByScheduler, false",
        "DisruptionTarget, True, EvictionByEvictionAPI, false",
        "DisruptionTarget, True, DeletionByTaintManager, false",
        "Ready, True, PreemptionByScheduler, false"
    })
    void aPreemptedPodIsRecognizedByItsDisruptionTargetCondition(
            String type, String status, String reason, boolean preempted) {
        ObjectNode pod = WireObjects.yaml("""
                apiVersion: v1
                kind: Pod
                metadata: {name: job, namespace: batch, uid: j-1}
                spec: {nodeName: node-1, containers: [{name: main}]}
                status:
                  conditions:
                  - {type: PodScheduled, status: "True"}
                  - {type: %s, status: "%s", reason: %s, message: any}
                  - {type: Initialized, status: "True", reason: Other}
                """.formatted(type, status, reason));
        PodProjection projection = new PodProjection(annotation -> false);
        assertThat(WireObjects.readFromJson(projection, pod)
                        .view()
                        .orElseThrow()
                        .pod()
                        .preempted())
                .isEqualTo(preempted);
        assertThat(WireObjects.readFromProtobuf(projection, pod)
                        .view()
                        .orElseThrow()
                        .pod()
                        .preempted())
                .isEqualTo(preempted);
    }

    @Test
    void theTimeOfTheDisruptionTargetConditionIsRead() {
        ObjectNode pod = WireObjects.yaml("""
                apiVersion: v1
                kind: Pod
                metadata: {name: job, namespace: batch, uid: j-1}
                spec: {nodeName: node-1, containers: [{name: main}]}
                status:
                  conditions:
                  - type: DisruptionTarget
                    status: "True"
                    reason: PreemptionByScheduler
                    lastTransitionTime: "2026-01-02T03:04:05Z"
                """);
        PodProjection projection = new PodProjection(annotation -> false);
        Instant since = Instant.parse("2026-01-02T03:04:05Z");
        assertThat(WireObjects.readFromJson(projection, pod)
                        .view()
                        .orElseThrow()
                        .pod()
                        .preemptedAt())
                .contains(since);
        assertThat(WireObjects.readFromProtobuf(projection, pod)
                        .view()
                        .orElseThrow()
                        .pod()
                        .preemptedAt())
                .contains(since);
    }

    @Test
    void aPodWithoutTheConditionIsNotMistakenForThePodReadBefore() {
        PodProjection projection = new PodProjection(annotation -> false);
        String told = "status: {conditions: [{type: DisruptionTarget, status: 'True', reason: PreemptionByScheduler}]}";
        String pod = "{apiVersion: v1, kind: Pod, metadata: {name: %s, uid: %s}, spec: {containers: []}}";
        ObjectNode first = WireObjects.yaml(pod.formatted("one", "o"));
        first.setAll(WireObjects.yaml(told));
        assertThat(WireObjects.readFromJson(projection, first)
                        .view()
                        .orElseThrow()
                        .pod()
                        .preempted())
                .isTrue();
        assertThat(WireObjects.readFromJson(projection, WireObjects.yaml(pod.formatted("two", "t")))
                        .view()
                        .orElseThrow()
                        .pod()
                        .preempted())
                .isFalse();
    }

    private static void assertBudget(PodDisruptionBudget budget, String rest) {
        PodDisruptionBudgetProjection projection = new PodDisruptionBudgetProjection();
        assertThat(WireObjects.readFromJson(projection, budget(rest)).view()).contains(budget);
        assertThat(WireObjects.readFromProtobuf(projection, budget(rest)).view())
                .contains(budget);
    }

    private static ObjectNode budget(String rest) {
        ObjectNode object = WireObjects.yaml("""
                apiVersion: policy/v1
                kind: PodDisruptionBudget
                metadata: {name: web, namespace: shop, uid: b-1, resourceVersion: "7"}
                """);
        object.setAll(WireObjects.yaml(rest));
        return object;
    }

    private static String line(WriteRequest request) {
        return "%s %s %s".formatted(request.method(), request.path(), request.contentType());
    }

    private static ObjectNode body(WriteRequest request) {
        return WireObjects.yaml(new String(request.body().toBytes(), StandardCharsets.UTF_8));
    }
}
