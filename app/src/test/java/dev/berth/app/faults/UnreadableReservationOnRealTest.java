package dev.berth.app.faults;

import dev.berth.app.pages.PageCluster;
import dev.berth.app.pages.RealPageCluster;
import dev.berth.testkit.controlplane.OnRealControlPlane;

@OnRealControlPlane
final class UnreadableReservationOnRealTest extends UnreadableReservation {
    @Override
    PageCluster start() throws InterruptedException {
        return new RealPageCluster();
    }
}
