package dev.berth.e2e.scenario.scoring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.scenario.testcluster.Scenario;
import dev.berth.e2e.scenario.testcluster.TestClusterExtension;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import dev.berth.testkit.stage.OnStages;
import dev.berth.testkit.stage.Stage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@OnRealControlPlane
@OnStages(Stage.REAL)
@ExtendWith(TestClusterExtension.class)
@Timeout(120)
final class ScoringOnRealTest {
    /** Nobody looks after such controllers on Berth's own cluster. */
    @Test
    void podsOfAReplicationControllerAreSpreadOverZonesByDefault(Scenario scenario) {
        scenario.object("/api/v1/namespaces/scene/replicationcontrollers", """
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
        scenario.awaitWorkload("web");
        ScoringTest.nodesInThreeZones(scenario);
        scenario.patch("/api/v1/namespaces/scene/replicationcontrollers/web", "spec: {replicas: 9}");
        assertThat(ScoringTest.zones(scenario.nodesOf("app=web", 9)).values()).containsExactly(3, 3, 3);
    }
}
