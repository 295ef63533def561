package dev.berth.sandbox.endpoints.handlers;

import static dev.berth.sandbox.InProcessServer.message;
import static dev.berth.sandbox.InProcessServer.ok;
import static dev.berth.sandbox.InProcessServer.refused;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.InProcessServer;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import org.junit.jupiter.api.Test;

class PatchTest {

    private static final String DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";

    private final InProcessServer api = new InProcessServer();
    private final ObjectNode web = ok(api.post(DEPLOYMENTS, """
            metadata: {name: web}
            spec:
              replicas: 2
              selector: {matchLabels: {app: web}}
              template:
                metadata: {labels: {app: web}}
                spec: {containers: [{name: a, image: nginx:1}, {name: b, image: redis:1}]}
            """));

    @Test
    void aStrategicPatchMergesListsByTheirKey() {
        ObjectNode patched = ok(api.patch(DEPLOYMENTS + "/web", "strategic-merge-patch+json", """
                {"spec":{"template":{"spec":{"containers":[{"name":"b","image":"redis:2"}]}}}}"""));

        assertThat(patched.path("spec").path("template").path("spec").path("containers"))
                .hasSize(2);
        assertThat(patched.at("/spec/template/spec/containers/1/image").asText())
                .isEqualTo("redis:2");
        assertThat(ObjectMetaReader.generation(patched)).isEqualTo(2);
    }

    @Test
    void aMergePatchReplacesListsAndRemovesByNull() {
        ObjectNode patched = ok(api.patch(DEPLOYMENTS + "/web", "merge-patch+json", """
                {"metadata":{"annotations":{"x":"y"}},"spec":{"replicas":3}}"""));
        assertThat(patched.at("/spec/replicas").asInt()).isEqualTo(3);

        ObjectNode without = ok(
                api.patch(DEPLOYMENTS + "/web", "merge-patch+json", "{\"metadata\":{\"annotations\":{\"x\":null}}}"));
        assertThat(ObjectMetaReader.annotations(without)).doesNotContainKey("x");
        assertThat(ObjectMetaReader.generation(without)).isEqualTo(3);
    }

    @Test
    void aJsonPatchTestsBeforeItWrites() {
        ok(api.patch(DEPLOYMENTS + "/web", "json-patch+json", """
                [{"op":"test","path":"/spec/replicas","value":2},{"op":"replace","path":"/spec/replicas","value":5}]"""));

        refused(
                422,
                api.patch(
                        DEPLOYMENTS + "/web",
                        "json-patch+json",
                        "[{\"op\":\"test\",\"path\":\"/spec/replicas\",\"value\":2}]"));
        assertThat(ok(api.get(DEPLOYMENTS + "/web")).at("/spec/replicas").asInt())
                .isEqualTo(5);
    }

    @Test
    void aPatchThatChangesNothingWritesNothing() {
        ObjectNode patched = ok(api.patch(DEPLOYMENTS + "/web", "merge-patch+json", "{\"spec\":{\"replicas\":2}}"));

        assertThat(patched).isEqualTo(web);
    }

    @Test
    void aPatchWithAnOldResourceVersionIsAConflict() {
        ok(api.patch(DEPLOYMENTS + "/web", "merge-patch+json", "{\"spec\":{\"replicas\":7}}"));

        refused(
                409,
                api.patch(
                        DEPLOYMENTS + "/web",
                        "merge-patch+json",
                        "{\"metadata\":{\"resourceVersion\":\"%s\"},\"spec\":{\"replicas\":8}}"
                                .formatted(ObjectMetaReader.resourceVersion(web))));
    }

    @Test
    void aMisspeltFieldInAPatchIsNamed() {
        assertThat(message(refused(
                        422,
                        api.patch(
                                DEPLOYMENTS + "/web?fieldValidation=Strict",
                                "merge-patch+json",
                                "{\"spec\":{\"replica\":8}}"))))
                .contains("unknown field \"spec.replica\"");
    }

    @Test
    void aPatchOfAMissingObjectIsNotFound() {
        refused(404, api.patch(DEPLOYMENTS + "/nobody", "merge-patch+json", "{}"));
    }

    @Test
    void serverSideApplyIsRejectedWithAMessage() {
        assertThat(message(refused(415, api.patch(DEPLOYMENTS + "/web?fieldManager=x", "apply-patch+yaml", "{}"))))
                .contains("Server-side apply is not offered by this server");
    }

    @Test
    void aStatusPatchTouchesNothingElse() {
        ObjectNode patched = ok(api.patch(
                DEPLOYMENTS + "/web/status",
                "merge-patch+json",
                "{\"spec\":{\"replicas\":9},\"status\":{\"replicas\":1,\"readyReplicas\":1}}"));

        assertThat(patched.at("/spec/replicas").asInt()).isEqualTo(2);
        assertThat(patched.at("/status/readyReplicas").asInt()).isEqualTo(1);
        assertThat(ObjectMetaReader.generation(patched)).isEqualTo(1);

        ObjectNode spec = ok(api.patch(DEPLOYMENTS + "/web", "merge-patch+json", "{\"status\":{\"readyReplicas\":5}}"));
        assertThat(spec.at("/status/readyReplicas").asInt()).isEqualTo(1);
    }
}
