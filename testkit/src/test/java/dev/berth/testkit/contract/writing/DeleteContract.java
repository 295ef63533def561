package dev.berth.testkit.contract.writing;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.testkit.contract.Api;
import dev.berth.testkit.contract.Contract;
import dev.berth.testkit.contract.Manifests;
import dev.berth.testkit.contract.Reply;
import dev.berth.testkit.contract.Watching;
import org.junit.jupiter.api.Test;

/** Deletions: at once, with grace, on conditions, held back by finalizers. */
public abstract class DeleteContract extends Contract {

    @Test
    void aDeletedObjectIsGoneAndTheAnswerSaysWhich() {
        Reply created =
                api.post(scratch.path("configmaps"), Manifests.configMap("a")).expect(201);

        Reply deleted = api.delete(scratch.path("configmaps/a")).expect(200);

        assertThat(deleted.at("/kind")).isEqualTo("Status");
        assertThat(deleted.at("/status")).isEqualTo("Success");
        assertThat(deleted.at("/details/name")).isEqualTo("a");
        assertThat(deleted.at("/details/kind")).isEqualTo("configmaps");
        assertThat(deleted.at("/details/uid")).isEqualTo(created.uid());
        api.get(scratch.path("configmaps/a")).expect(404);
    }

    @Test
    void aMissingObjectCannotBeDeleted() {
        api.delete(scratch.path("configmaps/nobody")).expectFailure(404, "NotFound");
    }

    @Test
    void aPodWithoutANodeGoesAtOnce() {
        pod("web");

        Reply deleted = api.delete(scratch.path("pods/web")).expect(200);

        assertThat(deleted.at("/kind")).isEqualTo("Pod");
        api.get(scratch.path("pods/web")).expect(404);
    }

    @Test
    void aPodOnANodeIsGivenItsGraceAndWaitsForItsKubelet() {
        boundPod("web");

        Reply deleted = api.delete(scratch.path("pods/web")).expect(200);

        assertThat(deleted.at("/metadata/deletionGracePeriodSeconds")).isEqualTo("30");
        assertThat(deleted.at("/metadata/deletionTimestamp")).matches("\\d{4}-.*Z");
        assertThat(api.get(scratch.path("pods/web")).expect(200).at("/metadata/deletionTimestamp"))
                .isEqualTo(deleted.at("/metadata/deletionTimestamp"));
    }

    @Test
    void theKubeletsLastWordIsADeletionWithoutGrace() {
        String uid = boundPod("web").uid();
        api.delete(scratch.path("pods/web")).expect(200);

        api.delete(
                        scratch.path("pods/web"),
                        Manifests.yaml(
                                "{apiVersion: v1, kind: DeleteOptions, gracePeriodSeconds: 0, preconditions: {uid: %s}}"
                                        .formatted(uid)))
                .expect(200);

        api.get(scratch.path("pods/web")).expect(404);
    }

    @Test
    void graceMayBeShortenedButNotLengthened() {
        boundPod("web");
        api.delete(scratch.path("pods/web?gracePeriodSeconds=20")).expect(200);

        Reply longer =
                api.delete(scratch.path("pods/web?gracePeriodSeconds=60")).expect(200);
        Reply shorter =
                api.delete(scratch.path("pods/web?gracePeriodSeconds=5")).expect(200);

        assertThat(longer.at("/metadata/deletionGracePeriodSeconds")).isEqualTo("20");
        assertThat(shorter.at("/metadata/deletionGracePeriodSeconds")).isEqualTo("5");
    }

    @Test
    void aSecondDeletionChangesNothing() {
        boundPod("web");
        Reply first = api.delete(scratch.path("pods/web")).expect(200);

        api.delete(scratch.path("pods/web")).expect(200);

        assertThat(api.get(scratch.path("pods/web")).version()).isEqualTo(first.version());
    }

    @Test
    void aFinishedPodGoesAtOnce() {
        boundPod("web");
        api.patch(scratch.path("pods/web/status"), Api.MERGE_PATCH, "{\"status\":{\"phase\":\"Succeeded\"}}")
                .expect(200);

        api.delete(scratch.path("pods/web")).expect(200);

        api.get(scratch.path("pods/web")).expect(404);
    }

    @Test
    void aPodsOwnGraceIsItsDefault() {
        ObjectNode pod = Manifests.pod("web");
        ((ObjectNode) pod.path("spec")).put("terminationGracePeriodSeconds", 7).put("nodeName", "n1");
        api.post(scratch.path("pods"), pod).expect(201);

        Reply deleted = api.delete(scratch.path("pods/web")).expect(200);

        assertThat(deleted.at("/metadata/deletionGracePeriodSeconds")).isEqualTo("7");
    }

    @Test
    void aDeletionMeantForAnotherObjectIsAConflict() {
        Reply created =
                api.post(scratch.path("configmaps"), Manifests.configMap("a")).expect(201);

        Reply refused = api.delete(
                scratch.path("configmaps/a"),
                Manifests.yaml("{preconditions: {uid: 00000000-0000-0000-0000-000000000000}}"));

        refused.expectFailure(409, "Conflict");
        assertThat(refused.message())
                .isEqualTo("Operation cannot be fulfilled on ConfigMap \"a\": the UID in the precondition "
                        + "(00000000-0000-0000-0000-000000000000) does not match the UID in record (%s). "
                                .formatted(created.uid())
                        + "The object might have been deleted and then recreated");
        api.get(scratch.path("configmaps/a")).expect(200);
    }

    @Test
    void aDeletionOfAnOlderVersionIsAConflict() {
        api.post(scratch.path("configmaps"), Manifests.configMap("a")).expect(201);

        Reply refused =
                api.delete(scratch.path("configmaps/a"), Manifests.yaml("{preconditions: {resourceVersion: '1'}}"));

        refused.expectFailure(409, "Conflict");
    }

    @Test
    void aFinalizerHoldsADeletionBackUntilItIsRemoved() {
        ObjectNode map = Manifests.configMap("a");
        ((ObjectNode) map.path("metadata")).putArray("finalizers").add("example.com/wait");
        Reply created = api.post(scratch.path("configmaps"), map).expect(201);

        try (Watching watch = api.watch(scratch.path("configmaps?resourceVersion=" + created.version()))) {
            Reply deleted = api.delete(scratch.path("configmaps/a")).expect(200);
            assertThat(deleted.at("/kind")).isEqualTo("ConfigMap");
            assertThat(deleted.at("/metadata/deletionTimestamp")).isNotEmpty();
            assertThat(deleted.at("/metadata/deletionGracePeriodSeconds")).isEqualTo("0");
            assertThat(watch.next().object().at("/metadata/deletionTimestamp").asText())
                    .isNotEmpty();

            api.patch(scratch.path("configmaps/a"), Api.MERGE_PATCH, "{\"metadata\":{\"finalizers\":null}}")
                    .expect(200);
            assertThat(watch.next(1)).containsExactly("DELETED a");
        }
        api.get(scratch.path("configmaps/a")).expect(404);
    }

    @Test
    void whatIsGoingTakesNoNewFinalizer() {
        ObjectNode map = Manifests.configMap("a");
        ((ObjectNode) map.path("metadata")).putArray("finalizers").add("example.com/wait");
        api.post(scratch.path("configmaps"), map).expect(201);
        api.delete(scratch.path("configmaps/a")).expect(200);

        Reply refused = api.patch(
                scratch.path("configmaps/a"),
                Api.MERGE_PATCH,
                "{\"metadata\":{\"finalizers\":[\"example.com/wait\",\"example.com/more\"]}}");
        api.patch(scratch.path("configmaps/a"), Api.MERGE_PATCH, "{\"metadata\":{\"finalizers\":null}}")
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
            api.post(scratch.path("configmaps"), map).expect(201);
        }

        api.delete(scratch.path("configmaps?labelSelector=go%3Dtrue")).expect(200);

        assertThat(api.get(scratch.path("configmaps")).names()).containsExactly("b");
    }

    @Test
    void aDryDeletionDeletesNothing() {
        api.post(scratch.path("configmaps"), Manifests.configMap("a")).expect(201);

        api.delete(scratch.path("configmaps/a?dryRun=All")).expect(200);

        api.get(scratch.path("configmaps/a")).expect(200);
    }

    @Test
    void aPolicyThatIsNoneIsRefused() {
        api.post(scratch.path("configmaps"), Manifests.configMap("a")).expect(201);

        Reply refused = api.delete(scratch.path("configmaps/a?propagationPolicy=Sideways"));

        refused.expectFailure(422, "Invalid");
        assertThat(refused.message()).contains("Sideways");
    }

    private Reply pod(String name) {
        return api.post(scratch.path("pods"), Manifests.pod(name)).expect(201);
    }

    private Reply boundPod(String name) {
        Reply created = pod(name);
        api.post(scratch.path("pods/" + name + "/binding"), Manifests.binding(name, "n1"))
                .expect(201);
        return created;
    }
}
