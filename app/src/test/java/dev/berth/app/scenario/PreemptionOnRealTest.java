package dev.berth.app.scenario;

import dev.berth.app.pages.RealPageCluster;
import dev.berth.testkit.controlplane.OnRealControlPlane;

@OnRealControlPlane
final class PreemptionOnRealTest extends PreemptionScenarios {
    PreemptionOnRealTest() {
        super(folder -> new RealPageCluster());
    }
}
