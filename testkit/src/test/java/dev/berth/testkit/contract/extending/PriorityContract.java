package dev.berth.testkit.contract.extending;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.testkit.contract.ApiResponse;
import dev.berth.testkit.contract.ApiServerContract;
import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.contract.HttpApi;
import dev.berth.testkit.contract.Manifests;
import org.junit.jupiter.api.Test;

/** Priority classes: a pod's number is looked up when it is created. */
public abstract class PriorityContract extends ApiServerContract {

    private static final String CLASSES = "/apis/scheduling.k8s.io/v1/priorityclasses";

    @Test
    void systemPriorityClassesExist() {
        assertThat(api.get(CLASSES + "/system-node-critical").expect(200).at("/value"))
                .isEqualTo("2000001000");
        assertThat(api.get(CLASSES + "/system-cluster-critical").expect(200).at("/value"))
                .isEqualTo("2000000000");
    }

    @Test
    void aPodGetsThePriorityOfItsClass() {
        String name = aClass("value: 1000");

        ApiResponse created = createInClass(name).expect(201);

        assertThat(created.at("/spec/priority")).isEqualTo("1000");
        assertThat(created.at("/spec/preemptionPolicy")).isEqualTo("PreemptLowerPriority");
    }

    @Test
    void aPodGetsThePreemptionPolicyOfItsClass() {
        String name = aClass("value: 5, preemptionPolicy: Never");

        assertThat(createInClass(name).expect(201).at("/spec/preemptionPolicy")).isEqualTo("Never");
    }

    @Test
    void anUnknownPriorityClassIsRejected() {
        ApiResponse refused = createInClass("no-such-class");

        refused.expectFailure(403, "Forbidden");
        assertThat(refused.message())
                .isEqualTo("pods \"web\" is forbidden: no PriorityClass with name no-such-class was found");
    }

    @Test
    void aPriorityThatDiffersFromItsClassIsRejected() {
        ObjectNode pod = Manifests.pod("web");
        ((ObjectNode) pod.path("spec")).put("priority", 7);

        ApiResponse refused = api.post(testNamespace.path("pods"), pod);

        refused.expectFailure(403, "Forbidden");
        assertThat(refused.message())
                .contains("the integer value of priority (7) must not be provided in pod spec; "
                        + "priority admission controller computed 0 from the given PriorityClass name");
    }

    @Test
    void thePriorityClassValueIsImmutable() {
        String name = aClass("value: 10");

        ApiResponse refused = api.patch(CLASSES + "/" + name, HttpApi.MERGE_PATCH, "{\"value\":11}");

        refused.expectFailure(422, "Invalid");
        assertThat(refused.causes()).containsExactly("value");
    }

    @Test
    void systemPriorityValuesAreReserved() {
        ApiResponse refused = api.post(
                CLASSES,
                Manifests.yaml(
                        "{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: %s}, value: 1000000001}"
                                .formatted(testNamespace.uniqueName("high"))));

        refused.expectFailure(422, "Invalid");
        assertThat(refused.message()).contains("maximum allowed value of a user defined priority is 1000000000");
    }

    private String aClass(String fields) {
        String name = testNamespace.uniqueName("class");
        testNamespace.create(
                CLASSES,
                Manifests.yaml("{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: %s}, %s}"
                        .formatted(name, fields)));
        // A new class takes effect for new pods a moment later.
        Eventually.holds(() -> {
            ObjectNode probe = Manifests.pod("probe");
            ((ObjectNode) probe.path("spec")).put("priorityClassName", name);
            api.post(testNamespace.path("pods?dryRun=All"), probe).expect(201);
        });
        return name;
    }

    private ApiResponse createInClass(String name) {
        ObjectNode pod = Manifests.pod("web");
        ((ObjectNode) pod.path("spec")).put("priorityClassName", name);
        return api.post(testNamespace.path("pods"), pod);
    }
}
