package dev.berth.app.scenario.e2e;

import dev.berth.app.scenario.stage.On;
import dev.berth.app.scenario.stage.UpStage;

@On(UpStage.class)
final class PriorityEndToEndOnUpTest extends PriorityEndToEndScenarios {}
