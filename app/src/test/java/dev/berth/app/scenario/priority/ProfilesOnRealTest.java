package dev.berth.app.scenario.priority;

import static dev.berth.app.scenario.stage.NodeText.aNode;
import static dev.berth.app.scenario.stage.PodText.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.config.Config;
import dev.berth.app.config.ConfigFile;
import dev.berth.app.run.Berth;
import dev.berth.app.scenario.stage.On;
import dev.berth.app.scenario.stage.PodText;
import dev.berth.app.scenario.stage.RealStage;
import dev.berth.app.scenario.stage.Scene;
import dev.berth.app.scenario.stage.Stage;
import dev.berth.kubernetes.connection.ClusterAccess;
import dev.berth.testkit.controlplane.Access;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One Berth with a configuration of kube-scheduler's and two profiles in it, beside the Berth of the stage. */
@OnRealControlPlane
@On(RealStage.class)
@Timeout(180)
final class ProfilesOnRealTest {
    private static final String FILE = """
            apiVersion: kubescheduler.config.k8s.io/v1
            kind: KubeSchedulerConfiguration
            profiles:
              - schedulerName: spreading
              - schedulerName: packing
                pluginConfig:
                  - name: NodeResourcesFit
                    args:
                      scoringStrategy:
                        type: MostAllocated
              - schedulerName: choosy
                plugins:
                  postFilter:
                    disabled: [{name: '*'}]
                pluginConfig:
                  - name: NodeAffinity
                    args:
                      addedAffinity:
                        requiredDuringSchedulingIgnoredDuringExecution:
                          nodeSelectorTerms:
                            - matchExpressions: [{key: disk, operator: In, values: [ssd]}]
            """;

    @Test
    void eachPodIsPlacedInTheProfileThatItNames(Scene scene, @TempDir Path folder) throws Exception {
        scene.nodes(aNode("one").offering("cpu=8, memory=32Gi"), aNode("other").offering("cpu=8, memory=32Gi"));
        try (Berth berth = start(scene, folder)) {
            berth.awaitReady(2);
            scene.pod(of("packing", "first"));
            String full = scene.nodeOf("first");
            for (String next : new String[] {"second", "third"}) {
                scene.pod(of("packing", next));
                assertThat(scene.nodeOf(next)).isEqualTo(full);
            }
            scene.pod(of("spreading", "apart"));
            assertThat(scene.nodeOf("apart")).isNotEqualTo(full);
            scene.pod(of("packing", "fourth"));
            assertThat(scene.nodeOf("fourth")).isEqualTo(full);
        }
    }

    @Test
    void whatAProfileDemandsIsToldToThePodsThatNameItAndNoOthers(Scene scene, @TempDir Path folder) throws Exception {
        scene.nodes(aNode("slow").offering("cpu=8, memory=32Gi"));
        try (Berth berth = start(scene, folder)) {
            berth.awaitReady(1);
            scene.pod(of("choosy", "picky"));
            assertThat(scene.whyPending("picky"))
                    .isEqualTo("0/1 nodes are available: 1 node(s) didn't match scheduler-enforced node affinity.");
            scene.pod(of("spreading", "content"));
            assertThat(scene.nodeOf("content")).isEqualTo("slow");
            scene.patch("/api/v1/nodes/slow", "{metadata: {labels: {disk: ssd}}}");
            assertThat(scene.nodeOf("picky")).isEqualTo("slow");
        }
    }

    private static PodText of(String scheduler, String name) {
        return aPod(name).asking("cpu=1, memory=4Gi").spec("schedulerName: " + scheduler);
    }

    private static Berth start(Scene scene, Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("scheduler.yaml"), FILE);
        Config config = ConfigFile.read(file).alone().withDoors(Stage.DOORS);
        Access access = ((RealStage) scene.stage()).plane().access();
        return Berth.start(
                ClusterAccess.byToken(access.url(), access.caPem(), access.token()), config, InstantSource.system());
    }
}
