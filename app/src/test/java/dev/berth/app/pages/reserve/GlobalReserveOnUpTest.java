package dev.berth.app.pages.reserve;

import dev.berth.app.pages.UpPageCluster;
import dev.berth.testkit.controlplane.OnRealControlPlane;

@OnRealControlPlane
final class GlobalReserveOnUpTest extends GlobalReservePage {
    GlobalReserveOnUpTest() {
        super(UpPageCluster::new);
    }
}
