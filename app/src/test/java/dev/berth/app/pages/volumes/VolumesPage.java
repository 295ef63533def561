package dev.berth.app.pages.volumes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.pages.UserPage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pods that mount volumes which are bound only when it is known where the pod goes. */
abstract class VolumesPage extends UserPage {
    private static final String IN_USE = "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access"
            + " mode already in-use by another pod";

    VolumesPage(Opening opening) {
        super(opening);
    }

    /** Has the volume be known as free, where no controller says so. */
    abstract void nowAvailable(String volume);

    /** Has the claim be bound to the volume that Berth has reserved for it, where no controller does so. */
    abstract void nowBound(String claim, String volume);

    @BeforeEach
    void aClassOfLocalVolumes() {
        type("apply -f -", """
                apiVersion: storage.k8s.io/v1
                kind: StorageClass
                metadata: {name: local}
                provisioner: kubernetes.io/no-provisioner
                volumeBindingMode: WaitForFirstConsumer
                """).ok();
    }

    @AfterEach
    void takeEverythingBack() {
        type("delete pod --all --now --ignore-not-found").ok();
        type("delete pvc --all --ignore-not-found").ok();
        type("delete pv --all --ignore-not-found").ok();
    }

    @Test
    void aPodGoesWhereItsVolumeIsAndHasItBoundFirst() {
        volume("disk-2", "node-2", "ReadWriteOnce");
        type("apply -f -", claim("data", "ReadWriteOnce")).ok();
        type("apply -f -", pod("one", "data")).ok();

        eventually(() ->
                assertThat(print("get pv disk-2", "{.spec.claimRef.name}")).isEqualTo("data"));
        assertThat(print("get pv disk-2", "{.metadata.annotations.pv\\.kubernetes\\.io/bound-by-controller}"))
                .isEqualTo("yes");
        nowBound("data", "disk-2");

        assertThat(nodeOfRunning("one")).isEqualTo("node-2");
        assertThat(print("get pvc data", "{.spec.volumeName}")).isEqualTo("disk-2");
    }

    @Test
    void ofTwoPodsThatWantOneVolumeTheSecondWaitsForAnother() {
        volume("disk-1", "node-1", "ReadWriteOnce");
        type("apply -f -", claim("first", "ReadWriteOnce")).ok();
        type("apply -f -", claim("second", "ReadWriteOnce")).ok();
        type("apply -f -", pod("one", "first")).ok();
        eventually(() ->
                assertThat(print("get pv disk-1", "{.spec.claimRef.name}")).isEqualTo("first"));
        type("apply -f -", pod("two", "second")).ok();

        assertThat(whyPending("two"))
                .startsWith("0/3 nodes are available: 3 node(s) didn't find available persistent volumes to bind.");
        nowBound("first", "disk-1");
        assertThat(nodeOfRunning("one")).isEqualTo("node-1");

        volume("disk-0", "node-0", "ReadWriteOnce");
        eventually(() ->
                assertThat(print("get pv disk-0", "{.spec.claimRef.name}")).isEqualTo("second"));
        nowBound("second", "disk-0");
        assertThat(nodeOfRunning("two")).isEqualTo("node-0");
    }

    @Test
    void aClaimForOnePodAloneIsForTheNextWhenThatIsGone() {
        volume("disk-1", "node-1", "ReadWriteOncePod");
        type("apply -f -", claim("alone", "ReadWriteOncePod")).ok();
        type("apply -f -", pod("one", "alone")).ok();
        eventually(() ->
                assertThat(print("get pv disk-1", "{.spec.claimRef.name}")).isEqualTo("alone"));
        nowBound("alone", "disk-1");
        assertThat(nodeOfRunning("one")).isEqualTo("node-1");

        type("apply -f -", pod("two", "alone")).ok();
        assertThat(whyPending("two")).contains(IN_USE);
        type("delete pod one --now").ok();
        assertThat(nodeOfRunning("two")).isEqualTo("node-1");
    }

    final void volume(String name, String node, String mode) {
        type("apply -f -", """
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
        nowAvailable(name);
        // Who waits for it may have it before anybody looks.
        eventually(() -> assertThat(print("get pv " + name, "{.status.phase}")).isIn("Available", "Bound"));
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
