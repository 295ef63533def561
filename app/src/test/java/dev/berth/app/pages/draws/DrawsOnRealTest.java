package dev.berth.app.pages.draws;

import dev.berth.app.pages.RealPageCluster;
import dev.berth.testkit.controlplane.OnRealControlPlane;

@OnRealControlPlane
final class DrawsOnRealTest extends DrawsPage {
    DrawsOnRealTest() {
        super(folder -> new RealPageCluster());
    }
}
