package dev.berth.app.pages;

import dev.berth.testkit.controlplane.OnRealControlPlane;

@OnRealControlPlane
final class ReservationOnRealTest extends ReservationPage {
    ReservationOnRealTest() {
        super(folder -> new RealPageCluster());
    }
}
