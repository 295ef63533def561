package dev.berth.app.scenario.predicate;

import dev.berth.app.scenario.stage.On;
import dev.berth.app.scenario.stage.UpStage;

@On(UpStage.class)
final class PredicatesOnUpTest extends PredicateScenarios {}
