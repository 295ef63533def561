package dev.berth.app.pages.volumes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.pages.UpPageCluster;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import org.junit.jupiter.api.Test;

/** Berth's own cluster has nobody who looks after volumes: the test does, and so says when. */
@OnRealControlPlane
final class VolumesOnUpTest extends VolumesPage {
    VolumesOnUpTest() {
        super(UpPageCluster::new);
    }

    @Override
    void nowAvailable(String volume) {
        kubectl()
                .call(
                        "",
                        "patch",
                        "pv",
                        volume,
                        "--subresource=status",
                        "--type=merge",
                        "-p",
                        "{\"status\":{\"phase\":\"Available\"}}")
                .ok();
    }

    @Override
    void nowBound(String claim, String volume) {
        kubectl()
                .call(
                        "",
                        "patch",
                        "pv",
                        volume,
                        "--subresource=status",
                        "--type=merge",
                        "-p",
                        "{\"status\":{\"phase\":\"Bound\"}}")
                .ok();
        kubectl()
                .call("", "patch", "pvc", claim, "--type=merge", "-p", """
                        {"metadata": {"annotations": {"pv.kubernetes.io/bind-completed": "yes"}},
                         "spec": {"volumeName": "%s"}}""".formatted(volume))
                .ok();
    }

    @Test
    void aBerthThatIsKilledBeforeTheVolumeIsBoundHasASuccessorWhoGoesOn() throws InterruptedException {
        volume("disk-1", "node-1", "ReadWriteOnce");
        volume("disk-2", "node-2", "ReadWriteOnce");
        type("apply -f -", claim("data", "ReadWriteOnce")).ok();
        type("apply -f -", pod("one", "data")).ok();
        eventually(() ->
                assertThat(print("get pv", "{.items[*].spec.claimRef.name}")).isEqualTo("data"));
        String chosen = print("get pv disk-1", "{.spec.claimRef.name}").isEmpty() ? "disk-2" : "disk-1";

        cluster().restartBerth();
        nowBound("data", chosen);

        assertThat(nodeOfRunning("one")).isEqualTo(chosen.replace("disk", "node"));
    }

    @Test
    void aVolumeIsMadeForTheNodeThatBerthChose() {
        type("apply -f -", """
                apiVersion: storage.k8s.io/v1
                kind: StorageClass
                metadata: {name: made}
                provisioner: disks.example.com
                volumeBindingMode: WaitForFirstConsumer
                allowedTopologies:
                - matchLabelExpressions: [{key: kubernetes.io/hostname, values: [node-0]}]
                """).ok();
        type("apply -f -", claim("fresh", "ReadWriteOnce").replace("storageClassName: local", "storageClassName: made"))
                .ok();
        type("apply -f -", pod("one", "fresh")).ok();
        eventually(() -> assertThat(
                        print("get pvc fresh", "{.metadata.annotations.volume\\.kubernetes\\.io/selected-node}"))
                .isEqualTo("node-0"));
        assertThat(print("get pod one", "{.spec.nodeName}")).isEmpty();

        volume("new-disk", "node-0", "ReadWriteOnce");
        nowBound("fresh", "new-disk");
        assertThat(nodeOfRunning("one")).isEqualTo("node-0");
    }
}
