package dev.berth.app.scenario.preemption;

import dev.berth.app.scenario.stage.KubeSchedulerStage;
import dev.berth.app.scenario.stage.On;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

@OnRealControlPlane
@Tag("long")
@On(KubeSchedulerStage.class)
@Timeout(180)
final class PreemptionByKubeSchedulerTest
        implements WhoGoes,
                HowTheyGo,
                NobodyGoes,
                NobodyStarves,
                WhomBudgetsProtect,
                WhatIsCleared,
                ForTheirStorage,
                OnTheirWay {}
