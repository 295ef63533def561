package dev.berth.app.pages.reservation;

import dev.berth.app.pages.RealPageCluster;
import dev.berth.testkit.controlplane.OnRealControlPlane;

@OnRealControlPlane
final class ReservationOnRealTest extends ReservationPage {
    ReservationOnRealTest() {
        super(folder -> new RealPageCluster());
    }
}
