package dev.berth.app.scenario.preemption;

import dev.berth.app.scenario.stage.On;
import dev.berth.app.scenario.stage.UpStage;
import org.junit.jupiter.api.Timeout;

@On(UpStage.class)
@Timeout(180)
final class PreemptionOnUpTest
        implements WhoGoes, HowTheyGo, NobodyGoes, NobodyStarves, WhomBudgetsProtect, WhatIsCleared {}
