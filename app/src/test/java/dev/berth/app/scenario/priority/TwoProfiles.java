package dev.berth.app.scenario.priority;

import static dev.berth.app.scenario.stage.NodeText.aNode;
import static dev.berth.app.scenario.stage.PodText.aPod;

import dev.berth.app.scenario.stage.Play;
import dev.berth.app.scenario.stage.Scene;
import dev.berth.app.scenario.stage.Stage;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One scheduler with two profiles, of which one would rather fill nodes than spare them. */
interface TwoProfiles {
    @ParameterizedTest
    @CsvSource({"default-scheduler, two", Stage.PACKING + ", one"})
    default void theProfileOfAPodsSchedulerSaysWhetherFullNodesAreGood(String scheduler, String node, Scene scene) {
        String amounts = "cpu=2, memory=4Gi, example.com/gpu=1";
        Play.that("a pod of (%s) among pods with and without a sidecar".formatted(scheduler))
                .on(
                        aNode("one").offering("memory=16Gi, example.com/gpu=4"),
                        aNode("two").offering("memory=16Gi, example.com/gpu=4"))
                .beside(
                        aPod("first").asking(amounts).on("one").spec("""
                                initContainers:
                                - name: side
                                  image: pause
                                  restartPolicy: Always
                                  resources: {requests: {cpu: "2", memory: 2Gi}}
                                """),
                        aPod("second").asking(amounts).on("two"))
                .comes(aPod("web").asking(amounts).spec("schedulerName: " + scheduler))
                .goesTo(node)
                .lest("machines are rented that nobody needs, or pods crowd where they need not")
                .play(scene);
    }
}
