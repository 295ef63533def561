package dev.berth.testkit.contract.writing;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.testkit.contract.ApiResponse;
import dev.berth.testkit.contract.ApiServerContract;
import dev.berth.testkit.contract.ApiWatch;
import dev.berth.testkit.contract.HttpApi;
import dev.berth.testkit.contract.Manifests;
import org.junit.jupiter.api.Test;

/** Bindings: a pod's node and the record of why, in one write. */
public abstract class BindingContract extends ApiServerContract {

    @Test
    void aBindingIsAnsweredWithSuccess() {
        create("web");

        ApiResponse bound = bind("web", Manifests.binding("web", "n1")).expect(201);

        assertThat(bound.at("/kind")).isEqualTo("Status");
        assertThat(bound.at("/status")).isEqualTo("Success");
        assertThat(bound.at("/code")).isEqualTo("201");
    }

    @Test
    void aBoundPodHasItsNodeItsAnnotationsAndIsScheduledInOneChange() {
        ApiResponse pod = create("web");
        ObjectNode binding = Manifests.binding("web", "n1");
        metadata(binding).put("uid", pod.uid());
        metadata(binding).set("annotations", Manifests.yaml("{berth.dev/hold: h-1, more: 'yes'}"));

        try (ApiWatch watch = api.watch(testNamespace.path("pods?resourceVersion=" + pod.resourceVersion()))) {
            bind("web", binding).expect(201);
            ApiWatch.Event event = watch.next();

            assertThat(event.toString()).isEqualTo("MODIFIED web");
            JsonNode bound = event.object();
            assertThat(bound.at("/spec/nodeName").asText()).isEqualTo("n1");
            assertThat(bound.at("/metadata/annotations/berth.dev~1hold").asText())
                    .isEqualTo("h-1");
            assertThat(bound.at("/metadata/annotations/more").asText()).isEqualTo("yes");
            JsonNode condition = bound.at("/status/conditions/0");
            assertThat(condition.path("type").asText()).isEqualTo("PodScheduled");
            assertThat(condition.path("status").asText()).isEqualTo("True");
            assertThat(condition.path("lastTransitionTime").asText()).isNotEmpty();
            assertThat(bound.at("/metadata/uid").asText()).isEqualTo(pod.uid());
        }
    }

    @Test
    void annotationsOfABindingOverwriteThePodsAndLeaveTheOthers() {
        ObjectNode pod = Manifests.pod("web");
        metadata(pod).set("annotations", Manifests.yaml("{mine: old, kept: 'yes'}"));
        api.post(testNamespace.path("pods"), pod).expect(201);
        ObjectNode binding = Manifests.binding("web", "n1");
        metadata(binding).set("annotations", Manifests.yaml("{mine: new}"));

        bind("web", binding).expect(201);

        assertThat(api.get(testNamespace.path("pods/web")).json().at("/metadata/annotations"))
                .isEqualTo(Manifests.yaml("{mine: new, kept: 'yes'}"));
    }

    @Test
    void labelsOfABindingAreCopiedToo() {
        skipOn("1.32", "annotations alone are copied");
        create("web");
        ObjectNode binding = Manifests.binding("web", "n1");
        metadata(binding).set("labels", Manifests.yaml("{topology.kubernetes.io/zone: z1}"));

        bind("web", binding).expect(201);

        assertThat(api.get(testNamespace.path("pods/web")).at("/metadata/labels/topology.kubernetes.io~1zone"))
                .isEqualTo("z1");
    }

    @Test
    void aBindingOfAnotherPodOfTheSameNameIsAConflict() {
        ApiResponse pod = create("web");
        ObjectNode binding = Manifests.binding("web", "n1");
        metadata(binding).put("uid", "00000000-0000-0000-0000-000000000000");

        ApiResponse refused = bind("web", binding);

        refused.expectFailure(409, "Conflict");
        assertThat(refused.message())
                .startsWith("Operation cannot be fulfilled on pods \"web\": ")
                .endsWith("Precondition failed: UID in precondition: 00000000-0000-0000-0000-000000000000, "
                        + "UID in object meta: " + pod.uid());
        assertThat(nodeOf("web")).isEmpty();
    }

    @Test
    void aBindingOfAnOlderVersionIsAConflict() {
        create("web");
        ObjectNode binding = Manifests.binding("web", "n1");
        metadata(binding).put("resourceVersion", "1");

        ApiResponse refused = bind("web", binding);

        refused.expectFailure(409, "Conflict");
        assertThat(refused.message()).contains("Precondition failed: ResourceVersion in precondition: 1");
    }

    @Test
    void aBoundPodCannotBeBoundAgain() {
        create("web");
        bind("web", Manifests.binding("web", "n1")).expect(201);

        ApiResponse refused = bind("web", Manifests.binding("web", "n2"));

        refused.expectFailure(409, "Conflict");
        assertThat(refused.message())
                .isEqualTo("Operation cannot be fulfilled on pods/binding \"web\": "
                        + "pod web is already assigned to node \"n1\"");
        assertThat(nodeOf("web")).isEqualTo("n1");
    }

    @Test
    void aBindingToTheSameNodeAgainIsAConflictToo() {
        create("web");
        bind("web", Manifests.binding("web", "n1")).expect(201);

        bind("web", Manifests.binding("web", "n1")).expectFailure(409, "Conflict");
    }

    @Test
    void aTerminatingPodIsNotBound() {
        ObjectNode pod = Manifests.pod("web");
        metadata(pod).putArray("finalizers").add("example.com/wait");
        api.post(testNamespace.path("pods"), pod).expect(201);
        api.delete(testNamespace.path("pods/web")).expect(200);

        ApiResponse refused = bind("web", Manifests.binding("web", "n1"));
        api.patch(testNamespace.path("pods/web"), HttpApi.MERGE_PATCH, "{\"metadata\":{\"finalizers\":null}}")
                .expect(200);

        refused.expectFailure(409, "Conflict");
        assertThat(refused.message()).endsWith("pod web is being deleted, cannot be assigned to a host");
    }

    @Test
    void aGatedPodIsNotBound() {
        ObjectNode pod = Manifests.pod("web");
        ((ObjectNode) pod.path("spec"))
                .set(
                        "schedulingGates",
                        Manifests.yaml("{g: [{name: example.com/wait}]}").path("g"));
        api.post(testNamespace.path("pods"), pod).expect(201);

        ApiResponse refused = bind("web", Manifests.binding("web", "n1"));

        refused.expectFailure(409, "Conflict");
        assertThat(refused.message()).endsWith("pod web has non-empty .spec.schedulingGates");
    }

    @Test
    void aMissingPodIsNotFound() {
        ApiResponse refused = bind("web", Manifests.binding("web", "n1"));

        refused.expectFailure(404, "NotFound");
        assertThat(refused.message()).isEqualTo("pods \"web\" not found");
    }

    @Test
    void aBindingToAMissingNodeIsAccepted() {
        create("web");

        bind("web", Manifests.binding("web", "no-such-node")).expect(201);

        assertThat(nodeOf("web")).isEqualTo("no-such-node");
    }

    @Test
    void aBindingMustNameANode() {
        create("web");
        ObjectNode nowhere =
                Manifests.yaml("{apiVersion: v1, kind: Binding, metadata: {name: web}, target: {kind: Node}}");

        ApiResponse refused = bind("web", nowhere);

        refused.expect(500);
        assertThat(refused.message()).contains("target.name: Required value");
    }

    @Test
    void theBindingNameMustMatchThePath() {
        create("web");

        ApiResponse refused = bind("web", Manifests.binding("other", "n1"));

        refused.expectFailure(400, "BadRequest");
        assertThat(refused.message()).isEqualTo("name in URL does not match name in Binding object");
    }

    @Test
    void aDryRunBindingBindsNothing() {
        create("web");

        api.post(testNamespace.path("pods/web/binding?dryRun=All"), Manifests.binding("web", "n1"))
                .expect(201);

        assertThat(nodeOf("web")).isEmpty();
    }

    @Test
    void bindingsMayAlsoBePostedToTheNamespace() {
        create("web");

        api.post(testNamespace.path("bindings"), Manifests.binding("web", "n1")).expect(201);

        assertThat(nodeOf("web")).isEqualTo("n1");
    }

    @Test
    void aPodMayBeCreatedOnItsNode() {
        ObjectNode pod = Manifests.pod("web");
        ((ObjectNode) pod.path("spec")).put("nodeName", "n1");

        ApiResponse created = api.post(testNamespace.path("pods"), pod).expect(201);

        assertThat(created.at("/spec/nodeName")).isEqualTo("n1");
        bind("web", Manifests.binding("web", "n1")).expectFailure(409, "Conflict");
    }

    private ApiResponse create(String name) {
        return api.post(testNamespace.path("pods"), Manifests.pod(name)).expect(201);
    }

    private ApiResponse bind(String pod, ObjectNode binding) {
        return api.post(testNamespace.path("pods/" + pod + "/binding"), binding);
    }

    private String nodeOf(String pod) {
        return api.get(testNamespace.path("pods/" + pod)).expect(200).at("/spec/nodeName");
    }

    private static ObjectNode metadata(ObjectNode object) {
        return (ObjectNode) object.path("metadata");
    }
}
