package dev.berth.app.scenario.priority;

import dev.berth.app.scenario.stage.KubeSchedulerStage;
import dev.berth.app.scenario.stage.On;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import org.junit.jupiter.api.Tag;

/** Not Berth but kube-scheduler plays: what it does not do is not to be asked of Berth. */
@Tag("long")
@OnRealControlPlane
@On(KubeSchedulerStage.class)
final class PrioritiesByKubeSchedulerTest extends PriorityScenarios implements TwoProfiles {}
