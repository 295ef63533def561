package dev.berth.testkit.contract.writing;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.testkit.contract.ApiResponse;
import dev.berth.testkit.contract.ApiServerContract;
import dev.berth.testkit.contract.ApiWatch;
import dev.berth.testkit.contract.HttpApi;
import dev.berth.testkit.contract.Manifests;
import org.junit.jupiter.api.Test;

/** Deletions: at once, with grace, on conditions, held back by finalizers. */
public abstract class DeleteContract extends ApiServerContract {

    @Test
    void aDeletedObjectIsGoneAndTheResponseNamesIt() {
        ApiResponse created = api.post(testNamespace.path("configmaps"), Manifests.configMap("a"))
                .expect(201);

        ApiResponse deleted = api.delete(testNamespace.path("configmaps/a")).expect(200);

        assertThat(deleted.at("/kind")).isEqualTo("Status");
        assertThat(deleted.at("/status")).isEqualTo("Success");
        assertThat(deleted.at("/details/name")).isEqualTo("a");
        assertThat(deleted.at("/details/kind")).isEqualTo("configmaps");
        assertThat(deleted.at("/details/uid")).isEqualTo(created.uid());
        api.get(testNamespace.path("configmaps/a")).expect(404);
    }

    @Test
    void aMissingObjectCannotBeDeleted() {
        api.delete(testNamespace.path("configmaps/nobody")).expectFailure(404, "NotFound");
    }

    @Test
    void anUnboundPodIsDeletedAtOnce() {
        pod("web");

        ApiResponse deleted = api.delete(testNamespace.path("pods/web")).expect(200);

        assertThat(deleted.at("/kind")).isEqualTo("Pod");
        api.get(testNamespace.path("pods/web")).expect(404);
    }

    @Test
    void aBoundPodIsTerminatedGracefully() {
        boundPod("web");

        ApiResponse deleted = api.delete(testNamespace.path("pods/web")).expect(200);

        assertThat(deleted.at("/metadata/deletionGracePeriodSeconds")).isEqualTo("30");
        assertThat(deleted.at("/metadata/deletionTimestamp")).matches("\\d{4}-.*Z");
        assertThat(api.get(testNamespace.path("pods/web")).expect(200).at("/metadata/deletionTimestamp"))
                .isEqualTo(deleted.at("/metadata/deletionTimestamp"));
    }

    @Test
    void aDeletionWithZeroGraceRemovesThePod() {
        String uid = boundPod("web").uid();
        api.delete(testNamespace.path("pods/web")).expect(200);

        api.delete(
                        testNamespace.path("pods/web"),
                        Manifests.yaml(
                                "{apiVersion: v1, kind: DeleteOptions, gracePeriodSeconds: 0, preconditions: {uid: %s}}"
                                        .formatted(uid)))
                .expect(200);

        api.get(testNamespace.path("pods/web")).expect(404);
    }

    @Test
    void theGracePeriodCanBeShortenedButNotExtended() {
        boundPod("web");
        api.delete(testNamespace.path("pods/web?gracePeriodSeconds=20")).expect(200);

        ApiResponse longer =
                api.delete(testNamespace.path("pods/web?gracePeriodSeconds=60")).expect(200);
        ApiResponse shorter =
                api.delete(testNamespace.path("pods/web?gracePeriodSeconds=5")).expect(200);

        assertThat(longer.at("/metadata/deletionGracePeriodSeconds")).isEqualTo("20");
        assertThat(shorter.at("/metadata/deletionGracePeriodSeconds")).isEqualTo("5");
    }

    @Test
    void aSecondDeletionChangesNothing() {
        boundPod("web");
        ApiResponse first = api.delete(testNamespace.path("pods/web")).expect(200);

        api.delete(testNamespace.path("pods/web")).expect(200);

        assertThat(api.get(testNamespace.path("pods/web")).resourceVersion()).isEqualTo(first.resourceVersion());
    }

    @Test
    void aFinishedPodIsDeletedAtOnce() {
        boundPod("web");
        api.patch(testNamespace.path("pods/web/status"), HttpApi.MERGE_PATCH, "{\"status\":{\"phase\":\"Succeeded\"}}")
                .expect(200);

        api.delete(testNamespace.path("pods/web")).expect(200);

        api.get(testNamespace.path("pods/web")).expect(404);
    }

    @Test
    void theGracePeriodDefaultsToThatOfThePod() {
        ObjectNode pod = Manifests.pod("web");
        ((ObjectNode) pod.path("spec")).put("terminationGracePeriodSeconds", 7).put("nodeName", "n1");
        api.post(testNamespace.path("pods"), pod).expect(201);

        ApiResponse deleted = api.delete(testNamespace.path("pods/web")).expect(200);

        assertThat(deleted.at("/metadata/deletionGracePeriodSeconds")).isEqualTo("7");
    }

    @Test
    void aDeletionWithAnotherUidIsAConflict() {
        ApiResponse created = api.post(testNamespace.path("configmaps"), Manifests.configMap("a"))
                .expect(201);

        ApiResponse refused = api.delete(
                testNamespace.path("configmaps/a"),
                Manifests.yaml("{preconditions: {uid: 00000000-0000-0000-0000-000000000000}}"));

        refused.expectFailure(409, "Conflict");
        assertThat(refused.message())
                .isEqualTo("Operation cannot be fulfilled on ConfigMap \"a\": the UID in the precondition "
                        + "(00000000-0000-0000-0000-000000000000) does not match the UID in record (%s). "
                                .formatted(created.uid())
                        + "The object might have been deleted and then recreated");
        api.get(testNamespace.path("configmaps/a")).expect(200);
    }

    @Test
    void aDeletionOfAnOlderVersionIsAConflict() {
        api.post(testNamespace.path("configmaps"), Manifests.configMap("a")).expect(201);

        ApiResponse refused = api.delete(
                testNamespace.path("configmaps/a"), Manifests.yaml("{preconditions: {resourceVersion: '1'}}"));

        refused.expectFailure(409, "Conflict");
    }

    @Test
    void aFinalizerDelaysTheDeletionUntilItIsRemoved() {
        ObjectNode map = Manifests.configMap("a");
        ((ObjectNode) map.path("metadata")).putArray("finalizers").add("example.com/wait");
        ApiResponse created = api.post(testNamespace.path("configmaps"), map).expect(201);

        try (ApiWatch watch =
                api.watch(testNamespace.path("configmaps?resourceVersion=" + created.resourceVersion()))) {
            ApiResponse deleted = api.delete(testNamespace.path("configmaps/a")).expect(200);
            assertThat(deleted.at("/kind")).isEqualTo("ConfigMap");
            assertThat(deleted.at("/metadata/deletionTimestamp")).isNotEmpty();
            assertThat(deleted.at("/metadata/deletionGracePeriodSeconds")).isEqualTo("0");
            assertThat(watch.next().object().at("/metadata/deletionTimestamp").asText())
                    .isNotEmpty();

            api.patch(testNamespace.path("configmaps/a"), HttpApi.MERGE_PATCH, "{\"metadata\":{\"finalizers\":null}}")
                    .expect(200);
            assertThat(watch.next(1)).containsExactly("DELETED a");
        }
        api.get(testNamespace.path("configmaps/a")).expect(404);
    }

    @Test
    void aTerminatingObjectAcceptsNoNewFinalizer() {
        ObjectNode map = Manifests.configMap("a");
        ((ObjectNode) map.path("metadata")).putArray("finalizers").add("example.com/wait");
        api.post(testNamespace.path("configmaps"), map).expect(201);
        api.delete(testNamespace.path("configmaps/a")).expect(200);

        ApiResponse refused = api.patch(
                testNamespace.path("configmaps/a"),
                HttpApi.MERGE_PATCH,
                "{\"metadata\":{\"finalizers\":[\"example.com/wait\",\"example.com/more\"]}}");
        api.patch(testNamespace.path("configmaps/a"), HttpApi.MERGE_PATCH, "{\"metadata\":{\"finalizers\":null}}")
                .expect(200);

        refused.expectFailure(422, "Invalid");
        assertThat(refused.message())
                .contains(
                        "metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted");
    }

    @Test
    void aCollectionIsDeletedByItsSelector() {
        for (String name : new String[] {"a", "b", "c"}) {
            ObjectNode map = Manifests.configMap(name);
            ((ObjectNode) map.path("metadata"))
                    .set("labels", Manifests.yaml("{go: '%s'}".formatted(!name.equals("b"))));
            api.post(testNamespace.path("configmaps"), map).expect(201);
        }

        api.delete(testNamespace.path("configmaps?labelSelector=go%3Dtrue")).expect(200);

        assertThat(api.get(testNamespace.path("configmaps")).names()).containsExactly("b");
    }

    @Test
    void aDryRunDeletionDeletesNothing() {
        api.post(testNamespace.path("configmaps"), Manifests.configMap("a")).expect(201);

        api.delete(testNamespace.path("configmaps/a?dryRun=All")).expect(200);

        api.get(testNamespace.path("configmaps/a")).expect(200);
    }

    @Test
    void anInvalidPropagationPolicyIsRejected() {
        api.post(testNamespace.path("configmaps"), Manifests.configMap("a")).expect(201);

        ApiResponse refused = api.delete(testNamespace.path("configmaps/a?propagationPolicy=Sideways"));

        refused.expectFailure(422, "Invalid");
        assertThat(refused.message()).contains("Sideways");
    }

    private ApiResponse pod(String name) {
        return api.post(testNamespace.path("pods"), Manifests.pod(name)).expect(201);
    }

    private ApiResponse boundPod(String name) {
        ApiResponse created = pod(name);
        api.post(testNamespace.path("pods/" + name + "/binding"), Manifests.binding(name, "n1"))
                .expect(201);
        return created;
    }
}
