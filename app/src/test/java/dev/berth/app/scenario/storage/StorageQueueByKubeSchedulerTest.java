package dev.berth.app.scenario.storage;

import dev.berth.app.scenario.stage.KubeSchedulerStage;
import dev.berth.app.scenario.stage.On;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import org.junit.jupiter.api.Tag;

@OnRealControlPlane
@Tag("long")
@On(KubeSchedulerStage.class)
final class StorageQueueByKubeSchedulerTest extends StorageQueueScenarios {}
