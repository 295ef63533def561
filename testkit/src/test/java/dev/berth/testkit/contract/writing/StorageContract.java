package dev.berth.testkit.contract.writing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.testkit.contract.ApiResponse;
import dev.berth.testkit.contract.ApiServerContract;
import dev.berth.testkit.contract.Manifests;
import org.junit.jupiter.api.Test;

/** Volumes as a scheduler reads them: claims, volumes, classes and what a node's drivers can take. */
public abstract class StorageContract extends ApiServerContract {

    @Test
    void aClaimWaitsUntilItIsBound() {
        ApiResponse claim = api.post(testNamespace.path("persistentvolumeclaims"), Manifests.yaml("""
                                apiVersion: v1
                                kind: PersistentVolumeClaim
                                metadata: {name: data}
                                spec:
                                  storageClassName: none-such
                                  accessModes: [ReadWriteOnce]
                                  resources: {requests: {storage: 1Gi}}
                                """))
                .expect(201);

        assertThat(claim.at("/status/phase")).isEqualTo("Pending");
        assertThat(claim.at("/spec/volumeMode")).isEqualTo("Filesystem");
    }

    @Test
    void aClaimMustRequestStorage() {
        ApiResponse refused = api.post(
                testNamespace.path("persistentvolumeclaims"),
                Manifests.yaml(
                        "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: data}, spec: {accessModes: [ReadWriteOnce]}}"));

        refused.expectFailure(422, "Invalid");
        assertThat(refused.causes()).contains("spec.resources[storage]");
    }

    @Test
    void aStorageClassGetsItsDefaults() {
        ApiResponse made = testNamespace.create(
                "/apis/storage.k8s.io/v1/storageclasses",
                Manifests.yaml(
                        "{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: %s}, provisioner: example.com/disk}"
                                .formatted(testNamespace.uniqueName("class"))));

        assertThat(made.at("/reclaimPolicy")).isEqualTo("Delete");
        assertThat(made.at("/volumeBindingMode")).isEqualTo("Immediate");
    }

    @Test
    void aVolumeKeepsItsNodeAffinity() {
        ApiResponse volume = testNamespace.create(
                "/api/v1/persistentvolumes", Manifests.yaml("""
                        apiVersion: v1
                        kind: PersistentVolume
                        metadata: {name: %s}
                        spec:
                          capacity: {storage: 1Gi}
                          accessModes: [ReadWriteOnce]
                          local: {path: /data}
                          nodeAffinity:
                            required:
                              nodeSelectorTerms:
                              - matchExpressions: [{key: kubernetes.io/hostname, operator: In, values: [n1]}]
                        """.formatted(testNamespace.uniqueName("volume"))));

        assertThat(volume.at("/spec/persistentVolumeReclaimPolicy")).isEqualTo("Retain");
        assertThat(volume.at("/spec/nodeAffinity/required/nodeSelectorTerms/0/matchExpressions/0/values/0"))
                .isEqualTo("n1");
    }

    @Test
    void aCsiNodeKeepsItsDriverLimits() {
        ApiResponse drivers = testNamespace.create(
                "/apis/storage.k8s.io/v1/csinodes",
                Manifests.yaml(
                        "{apiVersion: storage.k8s.io/v1, kind: CSINode, metadata: {name: %s}, spec: {drivers: [{name: disk.example.com, nodeID: n1, allocatable: {count: 3}}]}}"
                                .formatted(testNamespace.uniqueName("n"))));

        assertThat(drivers.at("/spec/drivers/0/allocatable/count")).isEqualTo("3");
    }
}
