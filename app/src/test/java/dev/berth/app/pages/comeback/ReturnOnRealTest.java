package dev.berth.app.pages.comeback;

import dev.berth.app.config.DoorName;
import dev.berth.app.pages.RealPageCluster;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import java.util.Set;

@OnRealControlPlane
final class ReturnOnRealTest extends ReturnPage {
    ReturnOnRealTest() {
        super(folder -> new RealPageCluster(Set.of(DoorName.RESERVATION)));
    }
}
