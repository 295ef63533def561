package dev.berth.app.pages;

import dev.berth.testkit.controlplane.OnRealControlPlane;

@OnRealControlPlane
final class GlobalReserveOnRealTest extends GlobalReservePage {
    GlobalReserveOnRealTest() {
        super(folder -> new RealPageCluster());
    }
}
