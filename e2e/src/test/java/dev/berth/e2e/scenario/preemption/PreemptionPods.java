package dev.berth.e2e.scenario.preemption;

import static dev.berth.e2e.scenario.testcluster.PodManifest.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.e2e.scenario.testcluster.PodManifest;
import dev.berth.e2e.scenario.testcluster.Scenario;
import dev.berth.testkit.contract.Eventually;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.StreamSupport;

/** The ranks {@code lowest}, {@code low}, {@code middle} and {@code high}, pods that have one, and what becomes of them. */
final class PreemptionPods {
    private static final String CLASSES = "/apis/scheduling.k8s.io/v1/priorityclasses";
    private static final String LONG_GRACE_PERIOD = "terminationGracePeriodSeconds: 3600";

    private PreemptionPods() {}

    static void createPriorityClasses(Scenario scenario) {
        scenario.object(CLASSES, "{metadata: {name: lowest}, value: 1}");
        scenario.object(CLASSES, "{metadata: {name: low}, value: 10}");
        scenario.object(CLASSES, "{metadata: {name: middle}, value: 100}");
        scenario.object(CLASSES, "{metadata: {name: high}, value: 1000}");
    }

    /** One that leaves at once when it is told to. */
    static PodManifest podOfPriority(String name, String rank, String cpu) {
        return aPod(name).asking("cpu=" + cpu).spec("priorityClassName: " + rank);
    }

    /** One that takes an hour to leave, which is for ever here. */
    static PodManifest slowPodOfPriority(String name, String rank, String cpu) {
        return podOfPriority(name, rank, cpu).spec(LONG_GRACE_PERIOD);
    }

    /** Makes the pods in that order, as soon as the API server has heard of the ranks. */
    static void createPods(Scenario scenario, PodManifest... pods) {
        List.of(pods).forEach(scenario::podOnceAccepted);
    }

    static void assertGone(Scenario scenario, String pod) {
        Eventually.holds(() ->
                assertThat(scenario.api().get(scenario.path(pod)).status()).isEqualTo(404));
    }

    /** It is there, and nobody has told it to leave. */
    static void assertNotTerminating(Scenario scenario, String... pods) {
        for (String pod : pods) {
            assertThat(scenario.get(pod).at("/metadata").has("deletionTimestamp"))
                    .as("whether pod (%s) was told to leave", pod)
                    .isFalse();
        }
    }

    static void awaitTerminating(Scenario scenario, String... pods) {
        for (String pod : pods) {
            Eventually.holds(() -> assertThat(
                            scenario.get(pod).at("/metadata/deletionTimestamp").asText())
                    .as("since when pod (%s) is to leave", pod)
                    .isNotEmpty());
        }
    }

    /** Those of the pods who were told to leave. */
    static Set<String> terminatingPods(Scenario scenario) {
        Set<String> leaving = new TreeSet<>();
        JsonNode list =
                scenario.api().get("/api/v1/namespaces/scene/pods").expect(200).json();
        StreamSupport.stream(list.path("items").spliterator(), false)
                .filter(pod -> pod.at("/metadata").has("deletionTimestamp"))
                .forEach(pod -> leaving.add(pod.at("/metadata/name").asText()));
        return leaving;
    }

    /** @param node empty where none is to be nominated */
    static void awaitNominated(Scenario scenario, String pod, String node) {
        Eventually.holds(() -> assertThat(
                        scenario.get(pod).at("/status/nominatedNodeName").asText())
                .as("the node that is nominated for pod (%s)", pod)
                .isEqualTo(node));
    }

    static String nominated(Scenario scenario, String pod) {
        return scenario.get(pod).at("/status/nominatedNodeName").asText();
    }

    static void assertUnbound(Scenario scenario, String pod) {
        assertThat(scenario.get(pod).at("/spec/nodeName").asText())
                .as("node of pod (%s)", pod)
                .isEmpty();
    }
}
