package dev.berth.app.pages;

import dev.berth.testkit.controlplane.OnRealControlPlane;

@OnRealControlPlane
final class ReturnOnUpTest extends ReturnPage {
    ReturnOnUpTest() {
        super(UpPageCluster::new);
    }
}
