package dev.berth.e2e.pages.volumebinding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.testkit.stage.OnStages;
import dev.berth.testkit.stage.Stage;
import org.junit.jupiter.api.Test;

/** Berth's own cluster has nobody who looks after volumes: the test does, and so says when. */
@OnStages(Stage.SANDBOX)
final class VolumeBindingOnUpTest extends VolumeBindingPage {
    @Override
    void makeAvailable(String volume) {
        kubectl()
                .runArguments(
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
    void bind(String claim, String volume) {
        kubectl()
                .runArguments(
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
                .runArguments("", "patch", "pvc", claim, "--type=merge", "-p", """
                        {"metadata": {"annotations": {"pv.kubernetes.io/bind-completed": "yes"}},
                         "spec": {"volumeName": "%s"}}""".formatted(volume))
                .ok();
    }

    @Test
    void afterBerthIsKilledBeforeTheVolumeIsBoundTheNextProcessContinues() throws InterruptedException {
        volume("disk-1", "node-1", "ReadWriteOnce");
        volume("disk-2", "node-2", "ReadWriteOnce");
        run("apply -f -", claim("data", "ReadWriteOnce")).ok();
        run("apply -f -", pod("one", "data")).ok();
        eventually(() ->
                assertThat(jsonPath("get pv", "{.items[*].spec.claimRef.name}")).isEqualTo("data"));
        String chosen = jsonPath("get pv disk-1", "{.spec.claimRef.name}").isEmpty() ? "disk-2" : "disk-1";

        cluster().restartBerth();
        bind("data", chosen);

        assertThat(awaitRunning("one")).isEqualTo(chosen.replace("disk", "node"));
    }

    @Test
    void aVolumeIsProvisionedForTheNodeThatBerthChose() {
        run("apply -f -", """
                apiVersion: storage.k8s.io/v1
                kind: StorageClass
                metadata: {name: made}
                provisioner: disks.example.com
                volumeBindingMode: WaitForFirstConsumer
                allowedTopologies:
                - matchLabelExpressions: [{key: kubernetes.io/hostname, values: [node-0]}]
                """).ok();
        run("apply -f -", claim("fresh", "ReadWriteOnce").replace("storageClassName: local", "storageClassName: made"))
                .ok();
        run("apply -f -", pod("one", "fresh")).ok();
        eventually(() -> assertThat(
                        jsonPath("get pvc fresh", "{.metadata.annotations.volume\\.kubernetes\\.io/selected-node}"))
                .isEqualTo("node-0"));
        assertThat(jsonPath("get pod one", "{.spec.nodeName}")).isEmpty();

        volume("new-disk", "node-0", "ReadWriteOnce");
        bind("fresh", "new-disk");
        assertThat(awaitRunning("one")).isEqualTo("node-0");
    }
}
