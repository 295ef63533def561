package dev.berth.kubernetes.door.preemption;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.decision.Effect.PodRef;
import dev.berth.core.door.preemption.Budget;
import dev.berth.core.door.preemption.PreemptionWrite;
import dev.berth.kubernetes.effects.ObjectRequest;
import dev.berth.kubernetes.projection.PodProjection;
import dev.berth.kubernetes.projection.Seen;
import dev.berth.kubernetes.projection.Wire;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PreemptionsTest {
    private static final String STRATEGIC = "application/strategic-merge-patch+json";
    private static final PodRef VIP = new PodRef("shop", "vip", new PodUid("v-1"), "berth-scheduler");
    private static final PodRef VICTIM = new PodRef("batch", "job", new PodUid("j-1"), "default-scheduler");

    @Test
    void aNodeIsNominatedForThisVeryPod() {
        ObjectRequest request = Preemptions.nominate(new PreemptionWrite.Nominate(VIP, "node-1"));
        assertThat(line(request)).isEqualTo("PATCH /api/v1/namespaces/shop/pods/vip/status " + STRATEGIC);
        assertThat(body(request)).isEqualTo(Wire.yaml("""
                metadata: {uid: v-1}
                status: {nominatedNodeName: node-1}
                """));
    }

    @Test
    void aNominationIsTakenBackByNull() {
        ObjectRequest request = Preemptions.nominate(new PreemptionWrite.Nominate(VIP, ""));
        assertThat(line(request)).isEqualTo("PATCH /api/v1/namespaces/shop/pods/vip/status " + STRATEGIC);
        assertThat(body(request)).isEqualTo(Wire.yaml("""
                metadata: {uid: v-1}
                status: {nominatedNodeName: null}
                """));
    }

    @Test
    void aVictimIsToldWhyItHasToGo() {
        Instant at = Instant.parse("2026-01-02T03:04:05.678Z");
        ObjectRequest request = Preemptions.mark(new PreemptionWrite.Mark(VICTIM, VIP, at));
        assertThat(line(request)).isEqualTo("PATCH /api/v1/namespaces/batch/pods/job/status " + STRATEGIC);
        assertThat(body(request)).isEqualTo(Wire.yaml("""
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

    /** Nothing is said of a grace period: it has its own. */
    @Test
    void thisVeryVictimIsSentAwayInItsOwnTime() {
        ObjectRequest request = Preemptions.delete(new PreemptionWrite.Delete(VICTIM, VIP, "node-1"));
        assertThat(line(request)).isEqualTo("DELETE /api/v1/namespaces/batch/pods/job application/json");
        assertThat(body(request)).isEqualTo(Wire.yaml("""
                kind: DeleteOptions
                apiVersion: v1
                preconditions: {uid: j-1}
                """));
    }

    @Test
    void aBudgetIsReadInBothLanguages() {
        Requirement old = new Requirement("old", Requirement.Operator.DOES_NOT_EXIST, List.of());
        LabelSelector selector = new LabelSelector(Labels.of("app", "web"), List.of(old));
        Budget budget = new Budget("b-1", "shop", Optional.of(selector), 2, Set.of("web-0", "web-1"));
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
    void aBudgetOfWhichNothingIsKnownYetAllowsNothing() {
        LabelSelector selector = LabelSelector.of(Labels.of("app", "web"));
        assertBudget(
                new Budget("b-1", "shop", Optional.of(selector), 0, Set.of()),
                "spec: {maxUnavailable: 1, selector: {matchLabels: {app: web}}}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"spec: {minAvailable: 1}", "spec: {minAvailable: 1, selector: {}}"})
    void aBudgetThatSelectsNobodyInParticularProtectsNobody(String spec) {
        assertBudget(new Budget("b-1", "shop", Optional.empty(), 0, Set.of()), spec);
    }

    @Test
    void aBudgetWithASelectorThatMakesNoSenseIsToldOf() {
        Seen<Budget> seen = Wire.throughJson(
                new BudgetProjection(),
                budget("spec: {selector: {matchExpressions: [{key: app, operator: Resembles, values: [a]}]}}"));
        assertThat(seen.view()).isEmpty();
        assertThat(seen.problem()).contains("poddisruptionbudget", "Resembles");
    }

    @ParameterizedTest
    @CsvSource({
        "DisruptionTarget, True, PreemptionByScheduler, true",
        "DisruptionTarget, False, PreemptionByScheduler, false",
        "DisruptionTarget, True, EvictionByEvictionAPI, false",
        "DisruptionTarget, True, DeletionByTaintManager, false",
        "Ready, True, PreemptionByScheduler, false"
    })
    void whoHasToGoForAnothersSakeIsKnown(String type, String status, String reason, boolean preempted) {
        ObjectNode pod = Wire.yaml("""
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
        assertThat(Wire.throughJson(projection, pod).view().orElseThrow().pod().preempted())
                .isEqualTo(preempted);
        assertThat(Wire.throughProtobuf(projection, pod)
                        .view()
                        .orElseThrow()
                        .pod()
                        .preempted())
                .isEqualTo(preempted);
    }

    @Test
    void sinceWhenAPodIsAVictimIsKnown() {
        ObjectNode pod = Wire.yaml("""
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
        assertThat(Wire.throughJson(projection, pod).view().orElseThrow().pod().preemptedAt())
                .contains(since);
        assertThat(Wire.throughProtobuf(projection, pod)
                        .view()
                        .orElseThrow()
                        .pod()
                        .preemptedAt())
                .contains(since);
    }

    @Test
    void oneThatWasToldNothingIsNotTakenForTheOneReadBefore() {
        PodProjection projection = new PodProjection(annotation -> false);
        String told = "status: {conditions: [{type: DisruptionTarget, status: 'True', reason: PreemptionByScheduler}]}";
        String pod = "{apiVersion: v1, kind: Pod, metadata: {name: %s, uid: %s}, spec: {containers: []}}";
        ObjectNode first = Wire.yaml(pod.formatted("one", "o"));
        first.setAll(Wire.yaml(told));
        assertThat(Wire.throughJson(projection, first)
                        .view()
                        .orElseThrow()
                        .pod()
                        .preempted())
                .isTrue();
        assertThat(Wire.throughJson(projection, Wire.yaml(pod.formatted("two", "t")))
                        .view()
                        .orElseThrow()
                        .pod()
                        .preempted())
                .isFalse();
    }

    private static void assertBudget(Budget budget, String rest) {
        BudgetProjection projection = new BudgetProjection();
        assertThat(Wire.throughJson(projection, budget(rest)).view()).contains(budget);
        assertThat(Wire.throughProtobuf(projection, budget(rest)).view()).contains(budget);
    }

    private static ObjectNode budget(String rest) {
        ObjectNode object = Wire.yaml("""
                apiVersion: policy/v1
                kind: PodDisruptionBudget
                metadata: {name: web, namespace: shop, uid: b-1, resourceVersion: "7"}
                """);
        object.setAll(Wire.yaml(rest));
        return object;
    }

    private static String line(ObjectRequest request) {
        return "%s %s %s".formatted(request.method(), request.path(), request.contentType());
    }

    private static ObjectNode body(ObjectRequest request) {
        return Wire.yaml(new String(request.body().write(), StandardCharsets.UTF_8));
    }
}
