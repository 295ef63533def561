package dev.berth.app.pages;

import dev.berth.testkit.controlplane.OnRealControlPlane;

@OnRealControlPlane
final class ManifestsOnUpTest extends ManifestsPage {
    ManifestsOnUpTest() {
        super(UpPageCluster::new);
    }
}
