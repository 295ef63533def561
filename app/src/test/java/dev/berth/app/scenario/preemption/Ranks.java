package dev.berth.app.scenario.preemption;

import static dev.berth.app.scenario.stage.PodText.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.app.scenario.stage.PodText;
import dev.berth.app.scenario.stage.Scene;
import dev.berth.testkit.contract.Eventually;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.StreamSupport;

/** The ranks {@code lowest}, {@code low}, {@code middle} and {@code high}, pods that have one, and what becomes of them. */
final class Ranks {
    private static final String CLASSES = "/apis/scheduling.k8s.io/v1/priorityclasses";
    private static final String SLOWLY = "terminationGracePeriodSeconds: 3600";

    private Ranks() {}

    static void make(Scene scene) {
        scene.object(CLASSES, "{metadata: {name: lowest}, value: 1}");
        scene.object(CLASSES, "{metadata: {name: low}, value: 10}");
        scene.object(CLASSES, "{metadata: {name: middle}, value: 100}");
        scene.object(CLASSES, "{metadata: {name: high}, value: 1000}");
    }

    /** One that leaves at once when it is told to. */
    static PodText ranked(String name, String rank, String cpu) {
        return aPod(name).asking("cpu=" + cpu).spec("priorityClassName: " + rank);
    }

    /** One that takes an hour to leave, which is for ever here. */
    static PodText slow(String name, String rank, String cpu) {
        return ranked(name, rank, cpu).spec(SLOWLY);
    }

    /** Makes the pods in that order, as soon as the API server has heard of the ranks. */
    static void come(Scene scene, PodText... pods) {
        List.of(pods).forEach(scene::podWhenTaken);
    }

    static void assertGone(Scene scene, String pod) {
        Eventually.holds(
                () -> assertThat(scene.api().get(scene.path(pod)).status()).isEqualTo(404));
    }

    /** It is there, and nobody has told it to leave. */
    static void assertStays(Scene scene, String... pods) {
        for (String pod : pods) {
            assertThat(scene.get(pod).at("/metadata").has("deletionTimestamp"))
                    .as("whether pod (%s) was told to leave", pod)
                    .isFalse();
        }
    }

    static void awaitLeaving(Scene scene, String... pods) {
        for (String pod : pods) {
            Eventually.holds(() -> assertThat(
                            scene.get(pod).at("/metadata/deletionTimestamp").asText())
                    .as("since when pod (%s) is to leave", pod)
                    .isNotEmpty());
        }
    }

    /** Those of the pods who were told to leave. */
    static Set<String> leaving(Scene scene) {
        Set<String> leaving = new TreeSet<>();
        JsonNode list =
                scene.api().get("/api/v1/namespaces/scene/pods").expect(200).json();
        StreamSupport.stream(list.path("items").spliterator(), false)
                .filter(pod -> pod.at("/metadata").has("deletionTimestamp"))
                .forEach(pod -> leaving.add(pod.at("/metadata/name").asText()));
        return leaving;
    }

    /** @param node empty where none is to be nominated */
    static void awaitNominated(Scene scene, String pod, String node) {
        Eventually.holds(
                () -> assertThat(scene.get(pod).at("/status/nominatedNodeName").asText())
                        .as("the node that is nominated for pod (%s)", pod)
                        .isEqualTo(node));
    }

    static String nominated(Scene scene, String pod) {
        return scene.get(pod).at("/status/nominatedNodeName").asText();
    }

    static void assertUnbound(Scene scene, String pod) {
        assertThat(scene.get(pod).at("/spec/nodeName").asText())
                .as("node of pod (%s)", pod)
                .isEmpty();
    }
}
