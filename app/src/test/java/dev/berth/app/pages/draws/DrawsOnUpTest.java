package dev.berth.app.pages.draws;

import dev.berth.app.pages.UpPageCluster;
import dev.berth.testkit.controlplane.OnRealControlPlane;

@OnRealControlPlane
final class DrawsOnUpTest extends DrawsPage {
    DrawsOnUpTest() {
        super(UpPageCluster::new);
    }
}
