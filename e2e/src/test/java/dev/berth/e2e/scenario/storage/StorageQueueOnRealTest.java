package dev.berth.e2e.scenario.storage;

import static dev.berth.e2e.scenario.storage.StorageFixtures.assertSelectedNode;
import static dev.berth.e2e.scenario.storage.StorageFixtures.mounting;

import dev.berth.e2e.scenario.testcluster.Scenario;
import dev.berth.e2e.scenario.testcluster.TestClusterExtension;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import dev.berth.testkit.stage.OnStages;
import dev.berth.testkit.stage.Stage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@OnRealControlPlane
@OnStages(Stage.REAL)
@ExtendWith(TestClusterExtension.class)
@Timeout(180)
final class StorageQueueOnRealTest {
    /** kube-scheduler would look again after five minutes: it asks whether the pod names the driver itself. */
    @Test
    void aPodThatNamesNoDriverIsPlacedWhenTheDriverNoLongerReportsCapacity(Scenario scenario) {
        StorageQueueTest.tooLittleStorageFor(scenario, mounting("web", "data"));

        scenario.patch(StorageFixtures.DRIVERS + "/" + StorageFixtures.DRIVER, "spec: {storageCapacity: false}");
        assertSelectedNode(scenario, "data", "n");
    }
}
