package dev.berth.e2e.pages.volumebinding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.testkit.controlplane.OnRealControlPlane;
import dev.berth.testkit.stage.OnStages;
import dev.berth.testkit.stage.Stage;
import org.junit.jupiter.api.Test;

/** Here kube-controller-manager makes, binds and frees what is to be. */
@OnRealControlPlane
@OnStages(Stage.REAL)
final class VolumeBindingOnRealTest extends VolumeBindingPage {
    @Override
    void makeAvailable(String volume) {}

    @Override
    void bind(String claim, String volume) {
        eventually(() ->
                assertThat(jsonPath("get pvc " + claim, "{.status.phase}")).isEqualTo("Bound"));
    }

    @Test
    void anEphemeralClaimIsBoundForTheNodeOfItsPod() {
        volume("disk-0", "node-0", "ReadWriteOnce");
        run("apply -f -", """
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
        assertThat(awaitRunning("own")).isEqualTo("node-0");
        assertThat(jsonPath("get pvc own-scratch", "{.status.phase}")).isEqualTo("Bound");
    }
}
