package dev.berth.app.pages;

import dev.berth.testkit.controlplane.OnRealControlPlane;

@OnRealControlPlane
final class GlobalReserveOnUpTest extends GlobalReservePage {
    GlobalReserveOnUpTest() {
        super(UpPageCluster::new);
    }
}
