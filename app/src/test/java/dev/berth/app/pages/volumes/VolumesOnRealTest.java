package dev.berth.app.pages.volumes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.pages.RealPageCluster;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import org.junit.jupiter.api.Test;

/** Here kube-controller-manager makes, binds and frees what is to be. */
@OnRealControlPlane
final class VolumesOnRealTest extends VolumesPage {
    VolumesOnRealTest() {
        super(folder -> new RealPageCluster());
    }

    @Override
    void nowAvailable(String volume) {}

    @Override
    void nowBound(String claim, String volume) {
        eventually(
                () -> assertThat(print("get pvc " + claim, "{.status.phase}")).isEqualTo("Bound"));
    }

    @Test
    void theClaimThatIsMadeForOnePodGoesByItsPlaceToo() {
        volume("disk-0", "node-0", "ReadWriteOnce");
        type("apply -f -", """
                apiVersion: v1
                kind: Pod
                metadata: {name: own}
                spec:
                  terminationGracePeriodSeconds: 0
                  containers:
                  - {name: main, image: pause, volumeMounts: [{name: scratch, mountPath: /data}]}
                  volumes:
                  - name: scratch
                    ephemeral:
                      volumeClaimTemplate:
                        spec:
                          accessModes: [ReadWriteOnce]
                          storageClassName: local
                          resources: {requests: {storage: 1Gi}}
                """).ok();
        assertThat(nodeOfRunning("own")).isEqualTo("node-0");
        assertThat(print("get pvc own-scratch", "{.status.phase}")).isEqualTo("Bound");
    }
}
