package dev.berth.sandbox.admission;

import static dev.berth.sandbox.InProcessServer.message;
import static dev.berth.sandbox.InProcessServer.ok;
import static dev.berth.sandbox.InProcessServer.pod;
import static dev.berth.sandbox.InProcessServer.refused;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.InProcessServer;
import org.junit.jupiter.api.Test;

class AdmissionChainTest {

    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final String CLASSES = "/apis/scheduling.k8s.io/v1/priorityclasses";

    private final InProcessServer api = new InProcessServer();

    @Test
    void nothingIsWrittenIntoAMissingNamespace() {
        assertThat(message(refused(404, api.post("/api/v1/namespaces/nowhere/pods", pod("a")))))
                .isEqualTo("namespaces \"nowhere\" not found");
    }

    @Test
    void systemNamespacesCannotBeDeleted() {
        assertThat(message(refused(403, api.delete("/api/v1/namespaces/default"))))
                .isEqualTo("namespaces \"default\" is forbidden: this namespace may not be deleted");
    }

    @Test
    void aPodWithoutAClassHasPriorityZero() {
        ObjectNode created = api.createPod("a");

        assertThat(created.at("/spec/priority").asInt()).isZero();
        assertThat(created.path("spec").has("priority")).isTrue();
        assertThat(created.at("/spec/preemptionPolicy").asText()).isEqualTo("PreemptLowerPriority");
    }

    @Test
    void aPodGetsThePriorityOfItsClass() {
        ok(api.post(CLASSES, "{metadata: {name: high}, value: 1000, preemptionPolicy: Never}"));

        ObjectNode created = ok(api.post(PODS, pod("a").replace("spec: {", "spec: {priorityClassName: high, ")));

        assertThat(created.at("/spec/priority").asInt()).isEqualTo(1000);
        assertThat(created.at("/spec/preemptionPolicy").asText()).isEqualTo("Never");
    }

    @Test
    void aPodWithoutAClassGetsTheDefaultClass() {
        ok(api.post(CLASSES, "{metadata: {name: usual}, value: 7, globalDefault: true}"));

        ObjectNode created = api.createPod("a");

        assertThat(created.at("/spec/priorityClassName").asText()).isEqualTo("usual");
        assertThat(created.at("/spec/priority").asInt()).isEqualTo(7);
        assertThat(message(refused(403, api.post(CLASSES, "{metadata: {name: other}, value: 8, globalDefault: true}"))))
                .contains("PriorityClass usual is already marked as default. Only one default can exist");
    }

    @Test
    void anUnknownClassIsForbidden() {
        assertThat(message(
                        refused(403, api.post(PODS, pod("a").replace("spec: {", "spec: {priorityClassName: ghost, ")))))
                .isEqualTo("pods \"a\" is forbidden: no PriorityClass with name ghost was found");
    }

    @Test
    void aPriorityThatDiffersFromTheClassIsForbidden() {
        assertThat(message(refused(403, api.post(PODS, pod("a").replace("spec: {", "spec: {priority: 5, ")))))
                .isEqualTo("pods \"a\" is forbidden: the integer value of priority (5) must not be provided in pod"
                        + " spec; priority admission controller computed 0 from the given PriorityClass name");
    }

    @Test
    void aPodGetsDefaultTolerationSeconds() {
        assertThat(api.createPod("a").at("/spec/tolerations")).hasSize(2);
    }

    @Test
    void aPodWithSchedulingGatesHasTheSchedulingGatedCondition() {
        ObjectNode gated = ok(api.post(PODS, pod("a").replace("spec: {", "spec: {schedulingGates: [{name: wait}], ")));

        assertThat(gated.at("/status/phase").asText()).isEqualTo("Pending");
        assertThat(gated.at("/status/qosClass").asText()).isEqualTo("BestEffort");
        assertThat(gated.at("/status/conditions/0/reason").asText()).isEqualTo("SchedulingGated");
    }
}
