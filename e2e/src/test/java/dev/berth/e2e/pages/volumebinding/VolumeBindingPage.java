package dev.berth.e2e.pages.volumebinding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.pages.UserPage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pods that mount volumes which are bound only when it is known where the pod goes. */
abstract class VolumeBindingPage extends UserPage {
    private static final String IN_USE = "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access"
            + " mode already in-use by another pod";

    /** Has the volume be known as free, where no controller says so. */
    abstract void makeAvailable(String volume);

    /** Has the claim be bound to the volume that Berth has reserved for it, where no controller does so. */
    abstract void bind(String claim, String volume);

    @BeforeEach
    void aClassOfLocalVolumes() {
        run("apply -f -", """
                apiVersion: storage.k8s.io/v1
                kind: StorageClass
                metadata: {name: local}
                provisioner: kubernetes.io/no-provisioner
                volumeBindingMode: WaitForFirstConsumer
                """).ok();
    }

    @AfterEach
    void deleteEverything() {
        run("delete pod --all --now --ignore-not-found").ok();
        run("delete pvc --all --ignore-not-found").ok();
        run("delete pv --all --ignore-not-found").ok();
    }

    @Test
    void aPodIsPlacedWhereItsVolumeIsAndTheVolumeIsBoundFirst() {
        volume("disk-2", "node-2", "ReadWriteOnce");
        run("apply -f -", claim("data", "ReadWriteOnce")).ok();
        run("apply -f -", pod("one", "data")).ok();

        eventually(() ->
                assertThat(jsonPath("get pv disk-2", "{.spec.claimRef.name}")).isEqualTo("data"));
        assertThat(jsonPath("get pv disk-2", "{.metadata.annotations.pv\\.kubernetes\\.io/bound-by-controller}"))
                .isEqualTo("yes");
        bind("data", "disk-2");

        assertThat(awaitRunning("one")).isEqualTo("node-2");
        assertThat(jsonPath("get pvc data", "{.spec.volumeName}")).isEqualTo("disk-2");
    }

    @Test
    void ofTwoPodsThatNeedOneVolumeTheSecondWaitsForAnotherVolume() {
        volume("disk-1", "node-1", "ReadWriteOnce");
        run("apply -f -", claim("first", "ReadWriteOnce")).ok();
        run("apply -f -", claim("second", "ReadWriteOnce")).ok();
        run("apply -f -", pod("one", "first")).ok();
        eventually(() ->
                assertThat(jsonPath("get pv disk-1", "{.spec.claimRef.name}")).isEqualTo("first"));
        run("apply -f -", pod("two", "second")).ok();

        assertThat(unschedulableMessage("two"))
                .startsWith("0/3 nodes are available: 3 node(s) didn't find available persistent volumes to bind.");
        bind("first", "disk-1");
        assertThat(awaitRunning("one")).isEqualTo("node-1");

        volume("disk-0", "node-0", "ReadWriteOnce");
        eventually(() ->
                assertThat(jsonPath("get pv disk-0", "{.spec.claimRef.name}")).isEqualTo("second"));
        bind("second", "disk-0");
        assertThat(awaitRunning("two")).isEqualTo("node-0");
    }

    @Test
    void aReadWriteOncePodClaimIsFreeForTheNextPodWhenItsPodIsDeleted() {
        volume("disk-1", "node-1", "ReadWriteOncePod");
        run("apply -f -", claim("alone", "ReadWriteOncePod")).ok();
        run("apply -f -", pod("one", "alone")).ok();
        eventually(() ->
                assertThat(jsonPath("get pv disk-1", "{.spec.claimRef.name}")).isEqualTo("alone"));
        bind("alone", "disk-1");
        assertThat(awaitRunning("one")).isEqualTo("node-1");

        run("apply -f -", pod("two", "alone")).ok();
        assertThat(unschedulableMessage("two")).contains(IN_USE);
        run("delete pod one --now").ok();
        assertThat(awaitRunning("two")).isEqualTo("node-1");
    }

    final void volume(String name, String node, String mode) {
        run("apply -f -", """
                apiVersion: v1
                kind: PersistentVolume
                metadata: {name: %s}
                spec:
                  capacity: {storage: 5Gi}
                  accessModes: [%s]
                  persistentVolumeReclaimPolicy: Retain
                  storageClassName: local
                  local: {path: /mnt/%s}
                  nodeAffinity:
                    required:
                      nodeSelectorTerms:
                      - matchExpressions:
                        - {key: kubernetes.io/hostname, operator: In, values: [%s]}
                """.formatted(name, mode, name, node)).ok();
        makeAvailable(name);
        // Who waits for it may have it before anybody looks.
        eventually(
                () -> assertThat(jsonPath("get pv " + name, "{.status.phase}")).isIn("Available", "Bound"));
    }

    static String claim(String name, String mode) {
        return """
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: %s}
                spec:
                  accessModes: [%s]
                  storageClassName: local
                  resources: {requests: {storage: 1Gi}}
                """.formatted(name, mode);
    }

    static String pod(String name, String claim) {
        return """
                apiVersion: v1
                kind: Pod
                metadata: {name: %s}
                spec:
                  terminationGracePeriodSeconds: 0
                  containers:
                  - {name: main, image: pause, volumeMounts: [{name: data, mountPath: /data}]}
                  volumes:
                  - {name: data, persistentVolumeClaim: {claimName: %s}}
                """.formatted(name, claim);
    }
}
