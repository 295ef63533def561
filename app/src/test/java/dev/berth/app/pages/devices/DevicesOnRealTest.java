package dev.berth.app.pages.devices;

import dev.berth.app.pages.RealPageCluster;
import dev.berth.testkit.controlplane.OnRealControlPlane;

@OnRealControlPlane
final class DevicesOnRealTest extends DevicesPage {
    DevicesOnRealTest() {
        super(folder -> new RealPageCluster(), false);
    }
}
