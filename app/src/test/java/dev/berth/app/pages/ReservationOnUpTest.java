package dev.berth.app.pages;

import dev.berth.testkit.controlplane.OnRealControlPlane;

@OnRealControlPlane
final class ReservationOnUpTest extends ReservationPage {
    ReservationOnUpTest() {
        super(UpPageCluster::new);
    }
}
