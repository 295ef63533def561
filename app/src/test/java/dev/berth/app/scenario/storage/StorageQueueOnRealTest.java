package dev.berth.app.scenario.storage;

import static dev.berth.app.scenario.storage.Disks.assertPromised;
import static dev.berth.app.scenario.storage.Disks.mounting;

import dev.berth.app.scenario.stage.On;
import dev.berth.app.scenario.stage.RealStage;
import dev.berth.app.scenario.stage.Scene;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import org.junit.jupiter.api.Test;

@OnRealControlPlane
@On(RealStage.class)
final class StorageQueueOnRealTest extends StorageQueueScenarios {
    /** kube-scheduler would look again after five minutes: it asks whether the pod names the driver itself. */
    @Test
    void aPodThatNamesNoDriverGoesTooWhenNobodyCountsStorageAnyMore(Scene scene) {
        tooLittleStorageFor(scene, mounting("web", "data"));

        scene.patch(Disks.DRIVERS + "/" + Disks.DRIVER, "spec: {storageCapacity: false}");
        assertPromised(scene, "data", "n");
    }
}
