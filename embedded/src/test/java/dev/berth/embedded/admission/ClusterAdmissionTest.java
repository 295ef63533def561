package dev.berth.embedded.admission;

import static dev.berth.embedded.InProcess.message;
import static dev.berth.embedded.InProcess.ok;
import static dev.berth.embedded.InProcess.pod;
import static dev.berth.embedded.InProcess.refused;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.InProcess;
import org.junit.jupiter.api.Test;

class ClusterAdmissionTest {

    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final String CLASSES = "/apis/scheduling.k8s.io/v1/priorityclasses";

    private final InProcess api = new InProcess();

    @Test
    void nothingIsWrittenIntoAMissingNamespace() {
        assertThat(message(refused(404, api.post("/api/v1/namespaces/nowhere/pods", pod("a")))))
                .isEqualTo("namespaces \"nowhere\" not found");
    }

    @Test
    void someNamespacesStay() {
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
    void aPodTakesTheNumberOfItsClass() {
        ok(api.post(CLASSES, "{metadata: {name: high}, value: 1000, preemptionPolicy: Never}"));

        ObjectNode created = ok(api.post(PODS, pod("a").replace("spec: {", "spec: {priorityClassName: high, ")));

        assertThat(created.at("/spec/priority").asInt()).isEqualTo(1000);
        assertThat(created.at("/spec/preemptionPolicy").asText()).isEqualTo("Never");
    }

    @Test
    void aDefaultClassIsForThoseWithoutOne() {
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
    void aPriorityOfOnesOwnIsForbidden() {
        assertThat(message(refused(403, api.post(PODS, pod("a").replace("spec: {", "spec: {priority: 5, ")))))
                .isEqualTo("pods \"a\" is forbidden: the integer value of priority (5) must not be provided in pod"
                        + " spec; priority admission controller computed 0 from the given PriorityClass name");
    }

    @Test
    void aPodOutlivesAShortSilenceOfItsNode() {
        assertThat(api.createPod("a").at("/spec/tolerations")).hasSize(2);
    }

    @Test
    void aGatedPodSaysSo() {
        ObjectNode gated = ok(api.post(PODS, pod("a").replace("spec: {", "spec: {schedulingGates: [{name: wait}], ")));

        assertThat(gated.at("/status/phase").asText()).isEqualTo("Pending");
        assertThat(gated.at("/status/qosClass").asText()).isEqualTo("BestEffort");
        assertThat(gated.at("/status/conditions/0/reason").asText()).isEqualTo("SchedulingGated");
    }
}
