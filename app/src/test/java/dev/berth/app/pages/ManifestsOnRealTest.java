package dev.berth.app.pages;

import dev.berth.testkit.controlplane.OnRealControlPlane;

@OnRealControlPlane
final class ManifestsOnRealTest extends ManifestsPage {
    ManifestsOnRealTest() {
        super(folder -> new RealPageCluster());
    }
}
