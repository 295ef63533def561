package dev.berth.app.scenario.flight;

import dev.berth.app.scenario.stage.On;
import dev.berth.app.scenario.stage.RealStage;
import dev.berth.testkit.controlplane.OnRealControlPlane;

@OnRealControlPlane
@On(RealStage.class)
final class InFlightChangesOnRealTest extends InFlightChangesScenarios {}
