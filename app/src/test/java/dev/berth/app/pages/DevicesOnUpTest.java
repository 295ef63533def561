package dev.berth.app.pages;

import dev.berth.testkit.controlplane.OnRealControlPlane;

@OnRealControlPlane
final class DevicesOnUpTest extends DevicesPage {
    DevicesOnUpTest() {
        super(UpPageCluster::new, true);
    }
}
