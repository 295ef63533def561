package dev.berth.app.scenario.preemption;

import dev.berth.app.scenario.stage.On;
import dev.berth.app.scenario.stage.RealStage;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import org.junit.jupiter.api.Timeout;

@OnRealControlPlane
@On(RealStage.class)
@Timeout(180)
final class PreemptionOnRealTest
        implements WhoGoes,
                HowTheyGo,
                NobodyGoes,
                NobodyStarves,
                WhomBudgetsProtect,
                WhatIsCleared,
                ForTheirStorage,
                OnTheirWay {}
