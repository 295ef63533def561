package dev.berth.app.pages.reservation;

import dev.berth.app.pages.UpPageCluster;
import dev.berth.testkit.controlplane.OnRealControlPlane;

@OnRealControlPlane
final class ReservationOnUpTest extends ReservationPage {
    ReservationOnUpTest() {
        super(UpPageCluster::new);
    }
}
