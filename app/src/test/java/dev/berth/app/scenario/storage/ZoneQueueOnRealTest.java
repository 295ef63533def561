package dev.berth.app.scenario.storage;

import dev.berth.app.scenario.stage.On;
import dev.berth.app.scenario.stage.RealStage;
import dev.berth.testkit.controlplane.OnRealControlPlane;

@OnRealControlPlane
@On(RealStage.class)
final class ZoneQueueOnRealTest extends ZoneQueueScenarios {}
