package dev.berth.testkit.contract.writing;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.testkit.contract.Api;
import dev.berth.testkit.contract.Contract;
import dev.berth.testkit.contract.Manifests;
import dev.berth.testkit.contract.Reply;
import dev.berth.testkit.contract.Watching;
import org.junit.jupiter.api.Test;

/** Bindings: a pod's node and the record of why, in one write. */
public abstract class BindingContract extends Contract {

    @Test
    void aBindingIsAnsweredWithSuccess() {
        create("web");

        Reply bound = bind("web", Manifests.binding("web", "n1")).expect(201);

        assertThat(bound.at("/kind")).isEqualTo("Status");
        assertThat(bound.at("/status")).isEqualTo("Success");
        assertThat(bound.at("/code")).isEqualTo("201");
    }

    @Test
    void aBoundPodHasItsNodeItsAnnotationsAndIsScheduledInOneChange() {
        Reply pod = create("web");
        ObjectNode binding = Manifests.binding("web", "n1");
        metadata(binding).put("uid", pod.uid());
        metadata(binding).set("annotations", Manifests.yaml("{berth.dev/hold: h-1, more: 'yes'}"));

        try (Watching watch = api.watch(scratch.path("pods?resourceVersion=" + pod.version()))) {
            bind("web", binding).expect(201);
            Watching.Event event = watch.next();

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
        api.post(scratch.path("pods"), pod).expect(201);
        ObjectNode binding = Manifests.binding("web", "n1");
        metadata(binding).set("annotations", Manifests.yaml("{mine: new}"));

        bind("web", binding).expect(201);

        assertThat(api.get(scratch.path("pods/web")).json().at("/metadata/annotations"))
                .isEqualTo(Manifests.yaml("{mine: new, kept: 'yes'}"));
    }

    @Test
    void labelsOfABindingAreCopiedToo() {
        exceptIn("1.32", "annotations alone are copied");
        create("web");
        ObjectNode binding = Manifests.binding("web", "n1");
        metadata(binding).set("labels", Manifests.yaml("{topology.kubernetes.io/zone: z1}"));

        bind("web", binding).expect(201);

        assertThat(api.get(scratch.path("pods/web")).at("/metadata/labels/topology.kubernetes.io~1zone"))
                .isEqualTo("z1");
    }

    @Test
    void aBindingOfAnotherPodOfTheSameNameIsAConflict() {
        Reply pod = create("web");
        ObjectNode binding = Manifests.binding("web", "n1");
        metadata(binding).put("uid", "00000000-0000-0000-0000-000000000000");

        Reply refused = bind("web", binding);

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

        Reply refused = bind("web", binding);

        refused.expectFailure(409, "Conflict");
        assertThat(refused.message()).contains("Precondition failed: ResourceVersion in precondition: 1");
    }

    @Test
    void aBoundPodIsBoundOnce() {
        create("web");
        bind("web", Manifests.binding("web", "n1")).expect(201);

        Reply refused = bind("web", Manifests.binding("web", "n2"));

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
    void aPodThatIsGoingIsNotBound() {
        ObjectNode pod = Manifests.pod("web");
        metadata(pod).putArray("finalizers").add("example.com/wait");
        api.post(scratch.path("pods"), pod).expect(201);
        api.delete(scratch.path("pods/web")).expect(200);

        Reply refused = bind("web", Manifests.binding("web", "n1"));
        api.patch(scratch.path("pods/web"), Api.MERGE_PATCH, "{\"metadata\":{\"finalizers\":null}}")
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
        api.post(scratch.path("pods"), pod).expect(201);

        Reply refused = bind("web", Manifests.binding("web", "n1"));

        refused.expectFailure(409, "Conflict");
        assertThat(refused.message()).endsWith("pod web has non-empty .spec.schedulingGates");
    }

    @Test
    void aMissingPodIsNotFound() {
        Reply refused = bind("web", Manifests.binding("web", "n1"));

        refused.expectFailure(404, "NotFound");
        assertThat(refused.message()).isEqualTo("pods \"web\" not found");
    }

    @Test
    void nobodyAsksWhetherTheNodeIsThere() {
        create("web");

        bind("web", Manifests.binding("web", "no-such-node")).expect(201);

        assertThat(nodeOf("web")).isEqualTo("no-such-node");
    }

    @Test
    void aBindingMustNameANode() {
        create("web");
        ObjectNode nowhere =
                Manifests.yaml("{apiVersion: v1, kind: Binding, metadata: {name: web}, target: {kind: Node}}");

        Reply refused = bind("web", nowhere);

        refused.expect(500);
        assertThat(refused.message()).contains("target.name: Required value");
    }

    @Test
    void aBindingMustBeOfThePodOfItsPath() {
        create("web");

        Reply refused = bind("web", Manifests.binding("other", "n1"));

        refused.expectFailure(400, "BadRequest");
        assertThat(refused.message()).isEqualTo("name in URL does not match name in Binding object");
    }

    @Test
    void aDryBindingBindsNothing() {
        create("web");

        api.post(scratch.path("pods/web/binding?dryRun=All"), Manifests.binding("web", "n1"))
                .expect(201);

        assertThat(nodeOf("web")).isEmpty();
    }

    @Test
    void bindingsMayAlsoBePostedToTheNamespace() {
        create("web");

        api.post(scratch.path("bindings"), Manifests.binding("web", "n1")).expect(201);

        assertThat(nodeOf("web")).isEqualTo("n1");
    }

    @Test
    void aPodMayBeCreatedOnItsNode() {
        ObjectNode pod = Manifests.pod("web");
        ((ObjectNode) pod.path("spec")).put("nodeName", "n1");

        Reply created = api.post(scratch.path("pods"), pod).expect(201);

        assertThat(created.at("/spec/nodeName")).isEqualTo("n1");
        bind("web", Manifests.binding("web", "n1")).expectFailure(409, "Conflict");
    }

    private Reply create(String name) {
        return api.post(scratch.path("pods"), Manifests.pod(name)).expect(201);
    }

    private Reply bind(String pod, ObjectNode binding) {
        return api.post(scratch.path("pods/" + pod + "/binding"), binding);
    }

    private String nodeOf(String pod) {
        return api.get(scratch.path("pods/" + pod)).expect(200).at("/spec/nodeName");
    }

    private static ObjectNode metadata(ObjectNode object) {
        return (ObjectNode) object.path("metadata");
    }
}
