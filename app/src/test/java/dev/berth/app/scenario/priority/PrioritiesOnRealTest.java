package dev.berth.app.scenario.priority;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.scenario.stage.On;
import dev.berth.app.scenario.stage.RealStage;
import dev.berth.app.scenario.stage.Scene;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import org.junit.jupiter.api.Test;

@OnRealControlPlane
@On(RealStage.class)
final class PrioritiesOnRealTest extends PriorityScenarios implements TwoProfiles {
    /** Nobody looks after such controllers on Berth's own cluster. */
    @Test
    void podsOfAReplicationControllerAreSpreadOverZonesThoughNobodyAskedForIt(Scene scene) {
        scene.object("/api/v1/namespaces/scene/replicationcontrollers", """
                apiVersion: v1
                kind: ReplicationController
                metadata: {name: web}
                spec:
                  replicas: 0
                  selector: {app: web}
                  template:
                    metadata: {labels: {app: web}}
                    spec:
                      containers: [{name: main, image: pause}]
                """);
        scene.awaitWorkload("web");
        nodesInThreeZones(scene);
        scene.patch("/api/v1/namespaces/scene/replicationcontrollers/web", "spec: {replicas: 9}");
        assertThat(zones(scene.nodesOf("app=web", 9)).values()).containsExactly(3, 3, 3);
    }
}
