package dev.berth.app.pages.devices;

import dev.berth.app.pages.UpPageCluster;
import dev.berth.testkit.controlplane.OnRealControlPlane;

@OnRealControlPlane
final class DevicesOnUpTest extends DevicesPage {
    DevicesOnUpTest() {
        super(UpPageCluster::new, true);
    }
}
