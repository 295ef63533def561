package dev.berth.app.scenario.priority;

import dev.berth.app.scenario.stage.On;
import dev.berth.app.scenario.stage.UpStage;

@On(UpStage.class)
final class PrioritiesOnUpTest extends PriorityScenarios {}
