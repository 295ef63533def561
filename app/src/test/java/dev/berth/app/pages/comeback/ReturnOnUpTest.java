package dev.berth.app.pages.comeback;

import dev.berth.app.config.DoorName;
import dev.berth.app.pages.UpPageCluster;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import java.util.Set;

@OnRealControlPlane
final class ReturnOnUpTest extends ReturnPage {
    ReturnOnUpTest() {
        super(folder -> new UpPageCluster(folder, Set.of(DoorName.RESERVATION)));
    }
}
