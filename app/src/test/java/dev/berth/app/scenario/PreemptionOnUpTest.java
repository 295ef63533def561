package dev.berth.app.scenario;

import dev.berth.app.pages.UpPageCluster;
import dev.berth.testkit.controlplane.OnRealControlPlane;

@OnRealControlPlane
final class PreemptionOnUpTest extends PreemptionScenarios {
    PreemptionOnUpTest() {
        super(UpPageCluster::new);
    }
}
