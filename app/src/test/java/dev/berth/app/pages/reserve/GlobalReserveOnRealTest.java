package dev.berth.app.pages.reserve;

import dev.berth.app.pages.RealPageCluster;
import dev.berth.testkit.controlplane.OnRealControlPlane;

@OnRealControlPlane
final class GlobalReserveOnRealTest extends GlobalReservePage {
    GlobalReserveOnRealTest() {
        super(folder -> new RealPageCluster());
    }
}
