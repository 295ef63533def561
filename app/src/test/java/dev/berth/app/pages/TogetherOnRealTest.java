package dev.berth.app.pages;

import dev.berth.testkit.controlplane.OnRealControlPlane;

@OnRealControlPlane
final class TogetherOnRealTest extends TogetherPage {
    TogetherOnRealTest() {
        super(folder -> new RealPageCluster());
    }
}
