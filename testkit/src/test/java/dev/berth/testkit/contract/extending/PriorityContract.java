package dev.berth.testkit.contract.extending;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.testkit.contract.Api;
import dev.berth.testkit.contract.Contract;
import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.contract.Manifests;
import dev.berth.testkit.contract.Reply;
import org.junit.jupiter.api.Test;

/** Priority classes: a pod's number is looked up when it is created. */
public abstract class PriorityContract extends Contract {

    private static final String CLASSES = "/apis/scheduling.k8s.io/v1/priorityclasses";

    @Test
    void theClassesOfTheSystemAreThere() {
        assertThat(api.get(CLASSES + "/system-node-critical").expect(200).at("/value"))
                .isEqualTo("2000001000");
        assertThat(api.get(CLASSES + "/system-cluster-critical").expect(200).at("/value"))
                .isEqualTo("2000000000");
    }

    @Test
    void aPodGetsTheNumberOfItsClass() {
        String name = aClass("value: 1000");

        Reply created = createInClass(name).expect(201);

        assertThat(created.at("/spec/priority")).isEqualTo("1000");
        assertThat(created.at("/spec/preemptionPolicy")).isEqualTo("PreemptLowerPriority");
    }

    @Test
    void aPodGetsThePolicyOfItsClass() {
        String name = aClass("value: 5, preemptionPolicy: Never");

        assertThat(createInClass(name).expect(201).at("/spec/preemptionPolicy")).isEqualTo("Never");
    }

    @Test
    void aClassThatIsNotThereIsRefused() {
        Reply refused = createInClass("no-such-class");

        refused.expectFailure(403, "Forbidden");
        assertThat(refused.message())
                .isEqualTo("pods \"web\" is forbidden: no PriorityClass with name no-such-class was found");
    }

    @Test
    void aNumberMustBeThatOfTheClass() {
        ObjectNode pod = Manifests.pod("web");
        ((ObjectNode) pod.path("spec")).put("priority", 7);

        Reply refused = api.post(scratch.path("pods"), pod);

        refused.expectFailure(403, "Forbidden");
        assertThat(refused.message())
                .contains("the integer value of priority (7) must not be provided in pod spec; "
                        + "priority admission controller computed 0 from the given PriorityClass name");
    }

    @Test
    void aClassKeepsItsValue() {
        String name = aClass("value: 10");

        Reply refused = api.patch(CLASSES + "/" + name, Api.MERGE_PATCH, "{\"value\":11}");

        refused.expectFailure(422, "Invalid");
        assertThat(refused.causes()).containsExactly("value");
    }

    @Test
    void theHighestNumbersAreTheSystems() {
        Reply refused = api.post(
                CLASSES,
                Manifests.yaml(
                        "{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: %s}, value: 1000000001}"
                                .formatted(scratch.name("high"))));

        refused.expectFailure(422, "Invalid");
        assertThat(refused.message()).contains("maximum allowed value of a user defined priority is 1000000000");
    }

    private String aClass(String fields) {
        String name = scratch.name("class");
        scratch.create(
                CLASSES,
                Manifests.yaml("{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: %s}, %s}"
                        .formatted(name, fields)));
        // A class is known to those who create pods a moment later.
        Eventually.holds(() -> {
            ObjectNode probe = Manifests.pod("probe");
            ((ObjectNode) probe.path("spec")).put("priorityClassName", name);
            api.post(scratch.path("pods?dryRun=All"), probe).expect(201);
        });
        return name;
    }

    private Reply createInClass(String name) {
        ObjectNode pod = Manifests.pod("web");
        ((ObjectNode) pod.path("spec")).put("priorityClassName", name);
        return api.post(scratch.path("pods"), pod);
    }
}
