package dev.berth.testkit.contract.extending;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.testkit.contract.ApiResponse;
import dev.berth.testkit.contract.ApiServerContract;
import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.contract.HttpApi;
import dev.berth.testkit.contract.Manifests;
import org.junit.jupiter.api.Test;

/** Namespaces: there from the start, labelled with their names, gone with all they hold. */
public abstract class NamespaceContract extends ApiServerContract {

    @Test
    void defaultNamespacesExist() {
        Eventually.holds(
                () -> assertThat(api.get("/api/v1/namespaces").expect(200).names())
                        .contains("default", "kube-node-lease", "kube-public", "kube-system"));
    }

    @Test
    void aNewNamespaceIsActiveAndLabelledWithItsName() {
        ApiResponse namespace =
                api.get("/api/v1/namespaces/" + testNamespace.namespace()).expect(200);

        assertThat(namespace.at("/status/phase")).isEqualTo("Active");
        assertThat(namespace.at("/metadata/labels/kubernetes.io~1metadata.name"))
                .isEqualTo(testNamespace.namespace());
        assertThat(namespace.at("/spec/finalizers/0")).isEqualTo("kubernetes");
    }

    @Test
    void aNewNamespaceGetsAServiceAccount() {
        Eventually.holds(
                () -> api.get(testNamespace.path("serviceaccounts/default")).expect(200));
    }

    @Test
    void systemNamespacesCannotBeDeleted() {
        ApiResponse refused = api.delete("/api/v1/namespaces/kube-system");

        refused.expectFailure(403, "Forbidden");
        assertThat(refused.message()).contains("this namespace may not be deleted");
    }

    @Test
    void aTerminatingNamespaceRejectsNewObjectsAndIsDeletedWithItsContents() {
        String name = testNamespace.uniqueName("going");
        String within = "/api/v1/namespaces/" + name;
        testNamespace.create(
                "/api/v1/namespaces",
                Manifests.yaml("{apiVersion: v1, kind: Namespace, metadata: {name: %s, finalizers: [example.com/wait]}}"
                        .formatted(name)));
        api.post(within + "/pods", Manifests.pod("web")).expect(201);

        ApiResponse deleted = api.delete(within).expect(200);
        ApiResponse refused = api.post(within + "/configmaps", Manifests.configMap("late"));
        Eventually.holds(() -> api.get(within + "/pods/web").expect(404));
        ApiResponse waiting = api.get(within).expect(200);
        api.patch(within, HttpApi.MERGE_PATCH, "{\"metadata\":{\"finalizers\":null}}")
                .expect(200);

        assertThat(deleted.at("/status/phase")).isEqualTo("Terminating");
        assertThat(deleted.at("/metadata/deletionTimestamp")).isNotEmpty();
        refused.expectFailure(403, "Forbidden");
        assertThat(refused.message())
                .isEqualTo("configmaps \"late\" is forbidden: unable to create new content in namespace " + name
                        + " because it is being terminated");
        assertThat(refused.at("/details/causes/0/reason")).isEqualTo("NamespaceTerminating");
        assertThat(waiting.at("/status/phase")).isEqualTo("Terminating");
        Eventually.holds(() -> api.get(within).expect(404));
    }
}
