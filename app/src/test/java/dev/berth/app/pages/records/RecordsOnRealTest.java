package dev.berth.app.pages.records;

import dev.berth.app.pages.RealPageCluster;
import dev.berth.testkit.controlplane.OnRealControlPlane;

@OnRealControlPlane
final class RecordsOnRealTest extends RecordsPage {
    RecordsOnRealTest() {
        super(folder -> new RealPageCluster());
    }
}
