package dev.berth.sandbox.endpoints.subresource;

import static dev.berth.sandbox.InProcessServer.message;
import static dev.berth.sandbox.InProcessServer.ok;
import static dev.berth.sandbox.InProcessServer.refused;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.InProcessServer;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import org.junit.jupiter.api.Test;

class BindingHandlerTest {

    private static final String PODS = "/api/v1/namespaces/default/pods";

    private final InProcessServer api = new InProcessServer();

    @Test
    void aBindSetsNodeNameAndAnnotationsInOneWrite() {
        ObjectNode pod = api.createPod("a");

        ObjectNode status = ok(api.post(PODS + "/a/binding", """
                apiVersion: v1
                kind: Binding
                metadata: {name: a, annotations: {berth/hold: h1}, labels: {zone: z1}}
                target: {kind: Node, name: n1}
                """));

        assertThat(status.path("status").asText()).isEqualTo("Success");
        assertThat(status.path("code").asInt()).isEqualTo(201);
        ObjectNode bound = ok(api.get(PODS + "/a"));
        assertThat(bound.path("spec").path("nodeName").asText()).isEqualTo("n1");
        assertThat(ObjectMetaReader.annotations(bound)).containsEntry("berth/hold", "h1");
        assertThat(ObjectMetaReader.labels(bound)).containsEntry("zone", "z1").containsEntry("app", "a");
        assertThat(Long.parseLong(ObjectMetaReader.resourceVersion(bound)))
                .isEqualTo(Long.parseLong(ObjectMetaReader.resourceVersion(pod)) + 1);
        JsonNode condition = bound.path("status").path("conditions").get(0);
        assertThat(condition.path("type").asText()).isEqualTo("PodScheduled");
        assertThat(condition.path("status").asText()).isEqualTo("True");
        assertThat(condition.path("lastTransitionTime").asText()).isEqualTo("2026-11-15T12:00:00Z");
    }

    @Test
    void aBoundPodIsNotBoundAgain() {
        api.createPod("a");
        ok(api.bind("a", "n1"));

        JsonNode status = refused(409, api.bind("a", "n2"));

        assertThat(message(status))
                .isEqualTo("Operation cannot be fulfilled on pods/binding \"a\": pod a is already assigned to node"
                        + " \"n1\"");
        assertThat(status.path("details").path("kind").asText()).isEqualTo("pods/binding");
    }

    @Test
    void aTerminatingPodIsNotBound() {
        ok(api.post(PODS, InProcessServer.pod("a").replace("name: a,", "name: a, finalizers: [example.com/keep],")));
        ok(api.delete(PODS + "/a"));

        assertThat(message(refused(409, api.bind("a", "n1"))))
                .isEqualTo("Operation cannot be fulfilled on pods/binding \"a\": pod a is being deleted, cannot be"
                        + " assigned to a host");
    }

    @Test
    void aGatedPodIsNotBound() {
        ok(api.post(PODS, InProcessServer.pod("a").replace("spec: {", "spec: {schedulingGates: [{name: wait}], ")));

        assertThat(message(refused(409, api.bind("a", "n1")))).endsWith("pod a has non-empty .spec.schedulingGates");
    }

    @Test
    void aBindingWithAnotherUidIsRejected() {
        ObjectNode pod = api.createPod("a");
        String body = "{metadata: {name: a, uid: %s}, target: {kind: Node, name: n1}}";

        assertThat(message(refused(409, api.post(PODS + "/a/binding", body.formatted("other")))))
                .isEqualTo("Operation cannot be fulfilled on pods \"a\": StorageError: invalid object, Code: 4, Key:"
                        + " /registry/pods/default/a, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID"
                        + " in precondition: other, UID in object meta: " + ObjectMetaReader.uid(pod));
        ok(api.post(PODS + "/a/binding", body.formatted(ObjectMetaReader.uid(pod))));
    }

    @Test
    void aBindingOfAnotherNameIsRefused() {
        api.createPod("a");

        assertThat(message(refused(
                        400, api.post(PODS + "/a/binding", "{metadata: {name: b}, target: {kind: Node, name: n1}}"))))
                .isEqualTo("name in URL does not match name in Binding object");
    }

    @Test
    void aBindingOfAMissingPodIsNotFound() {
        refused(404, api.bind("a", "n1"));
    }

    @Test
    void theLegacyBindingsPathWorks() {
        api.createPod("a");

        ok(api.post("/api/v1/namespaces/default/bindings", "{metadata: {name: a}, target: {kind: Node, name: n1}}"));

        assertThat(ok(api.get(PODS + "/a")).path("spec").path("nodeName").asText())
                .isEqualTo("n1");
    }

    @Test
    void aDryRunBindChangesNothing() {
        ObjectNode pod = api.createPod("a");

        ok(api.post(PODS + "/a/binding?dryRun=All", "{metadata: {name: a}, target: {kind: Node, name: n1}}"));

        assertThat(ok(api.get(PODS + "/a"))).isEqualTo(pod);
    }
}
