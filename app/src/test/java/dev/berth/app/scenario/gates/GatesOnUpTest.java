package dev.berth.app.scenario.gates;

import dev.berth.app.scenario.stage.On;
import dev.berth.app.scenario.stage.UpStage;

@On(UpStage.class)
final class GatesOnUpTest extends GatesScenarios {}
