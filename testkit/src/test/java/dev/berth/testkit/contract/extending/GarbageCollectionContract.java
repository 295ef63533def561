package dev.berth.testkit.contract.extending;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.testkit.contract.ApiResponse;
import dev.berth.testkit.contract.ApiServerContract;
import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.contract.HttpApi;
import dev.berth.testkit.contract.Manifests;
import org.junit.jupiter.api.Test;

/** Garbage collection: dependents are deleted with their owner, with the requested propagation policy. */
public abstract class GarbageCollectionContract extends ApiServerContract {

    @Test
    void dependentsAreDeletedAfterTheirOwner() {
        ApiResponse owner = create("owner");
        owned("child", owner, "");

        api.delete(testNamespace.path("configmaps/owner?propagationPolicy=Background"))
                .expect(200);

        api.get(testNamespace.path("configmaps/owner")).expect(404);
        Eventually.holds(() -> api.get(testNamespace.path("configmaps/child")).expect(404));
    }

    @Test
    void foregroundDeletionDeletesTheOwnerLast() {
        ApiResponse owner = create("owner");
        ObjectNode child = child("child", owner, "blockOwnerDeletion: true");
        ((ObjectNode) child.path("metadata")).putArray("finalizers").add("example.com/wait");
        api.post(testNamespace.path("configmaps"), child).expect(201);

        ApiResponse deleted = api.delete(testNamespace.path("configmaps/owner?propagationPolicy=Foreground"))
                .expect(200);
        assertThat(deleted.at("/metadata/finalizers/0")).isEqualTo("foregroundDeletion");
        Eventually.holds(() -> assertThat(api.get(testNamespace.path("configmaps/child"))
                        .expect(200)
                        .at("/metadata/deletionTimestamp"))
                .isNotEmpty());
        api.get(testNamespace.path("configmaps/owner")).expect(200);

        api.patch(testNamespace.path("configmaps/child"), HttpApi.MERGE_PATCH, "{\"metadata\":{\"finalizers\":null}}")
                .expect(200);
        Eventually.holds(() -> api.get(testNamespace.path("configmaps/owner")).expect(404));
    }

    @Test
    void orphanDeletionRemovesTheOwnerReference() {
        ApiResponse owner = create("owner");
        owned("child", owner, "");

        api.delete(testNamespace.path("configmaps/owner?propagationPolicy=Orphan"))
                .expect(200);

        Eventually.holds(() -> api.get(testNamespace.path("configmaps/owner")).expect(404));
        assertThat(api.get(testNamespace.path("configmaps/child"))
                        .expect(200)
                        .json()
                        .path("metadata")
                        .has("ownerReferences"))
                .isFalse();
    }

    @Test
    void dependentsOfAnOldOwnerUidAreCollected() {
        create("owner");
        ObjectNode child = Manifests.configMap("child");
        ((ObjectNode) child.path("metadata"))
                .set(
                        "ownerReferences",
                        Manifests.yaml(
                                        "{o: [{apiVersion: v1, kind: ConfigMap, name: owner, uid: 00000000-0000-0000-0000-000000000000}]}")
                                .path("o"));
        api.post(testNamespace.path("configmaps"), child).expect(201);

        Eventually.holds(() -> api.get(testNamespace.path("configmaps/child")).expect(404));
        api.get(testNamespace.path("configmaps/owner")).expect(200);
    }

    @Test
    void anObjectWithARemainingOwnerIsKept() {
        ApiResponse one = create("one");
        ApiResponse two = create("two");
        ObjectNode child = Manifests.configMap("child");
        ((ObjectNode) child.path("metadata"))
                .set(
                        "ownerReferences",
                        Manifests.yaml(
                                        "{o: [{apiVersion: v1, kind: ConfigMap, name: one, uid: %s}, {apiVersion: v1, kind: ConfigMap, name: two, uid: %s}]}"
                                                .formatted(one.uid(), two.uid()))
                                .path("o"));
        api.post(testNamespace.path("configmaps"), child).expect(201);

        api.delete(testNamespace.path("configmaps/one")).expect(200);

        Eventually.holds(() -> assertThat(api.get(testNamespace.path("configmaps/child"))
                        .expect(200)
                        .json()
                        .at("/metadata/ownerReferences"))
                .hasSize(1));
    }

    @Test
    void deletingADeploymentDeletesItsReplicaSetsAndPods() {
        api.post(testNamespace.path("apps/v1", "deployments"), Manifests.deployment("web"))
                .expect(201);
        Eventually.holds(
                () -> assertThat(api.get(testNamespace.path("pods")).names()).hasSize(1));

        api.delete(testNamespace.path("apps/v1", "deployments/web")).expect(200);

        Eventually.holds(() -> {
            assertThat(api.get(testNamespace.path("apps/v1", "replicasets")).names())
                    .isEmpty();
            assertThat(api.get(testNamespace.path("pods")).names()).isEmpty();
        });
    }

    private ApiResponse create(String name) {
        return api.post(testNamespace.path("configmaps"), Manifests.configMap(name))
                .expect(201);
    }

    private void owned(String name, ApiResponse owner, String more) {
        api.post(testNamespace.path("configmaps"), child(name, owner, more)).expect(201);
    }

    private static ObjectNode child(String name, ApiResponse owner, String more) {
        ObjectNode child = Manifests.configMap(name);
        ((ObjectNode) child.path("metadata"))
                .set(
                        "ownerReferences",
                        Manifests.yaml("{o: [{apiVersion: v1, kind: ConfigMap, name: %s, uid: %s, %s}]}"
                                        .formatted(owner.at("/metadata/name"), owner.uid(), more))
                                .path("o"));
        return child;
    }
}
