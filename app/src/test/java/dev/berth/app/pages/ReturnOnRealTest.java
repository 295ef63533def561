package dev.berth.app.pages;

import dev.berth.testkit.controlplane.OnRealControlPlane;

@OnRealControlPlane
final class ReturnOnRealTest extends ReturnPage {
    ReturnOnRealTest() {
        super(folder -> new RealPageCluster());
    }
}
