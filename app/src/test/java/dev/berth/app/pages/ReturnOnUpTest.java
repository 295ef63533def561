package dev.berth.app.pages;

import dev.berth.app.config.DoorName;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import java.util.Set;

@OnRealControlPlane
final class ReturnOnUpTest extends ReturnPage {
    ReturnOnUpTest() {
        super(folder -> new UpPageCluster(folder, Set.of(DoorName.RESERVATION)));
    }
}
