package dev.berth.app.pages;

import dev.berth.testkit.controlplane.OnRealControlPlane;

@OnRealControlPlane
final class DevicesOnRealTest extends DevicesPage {
    DevicesOnRealTest() {
        super(folder -> new RealPageCluster(), false);
    }
}
