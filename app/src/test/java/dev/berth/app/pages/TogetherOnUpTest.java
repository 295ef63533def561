package dev.berth.app.pages;

import dev.berth.testkit.controlplane.OnRealControlPlane;

@OnRealControlPlane
final class TogetherOnUpTest extends TogetherPage {
    TogetherOnUpTest() {
        super(UpPageCluster::new);
    }
}
