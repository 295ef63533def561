package dev.berth.testkit.parity;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.testkit.contract.ApiResponse;
import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.contract.HttpApi;
import dev.berth.testkit.controlplane.ControlPlaneBinaries;
import dev.berth.testkit.controlplane.ControlPlaneOptions;
import dev.berth.testkit.controlplane.ManagedProcess;
import dev.berth.testkit.controlplane.RealControlPlane;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * kube-scheduler as people run it, on an API server without controllers or kubelets, looking at all nodes and talking of
 * everything it does.
 */
final class RunningKubeScheduler implements AutoCloseable {
    private static final Pattern SCORE =
            Pattern.compile("\"Calculated node's final score for pod\" pod=\"(\\S+)\" node=\"(\\S+)\" score=(\\d+)");
    private static final Map<String, String> COLLECTIONS = Map.of(
            "Namespace", "/api/v1/namespaces",
            "Node", "/api/v1/nodes",
            "Pod", "/api/v1/namespaces/%s/pods",
            "Service", "/api/v1/namespaces/%s/services");

    private final RealControlPlane plane;
    private final HttpApi api;
    private Optional<ManagedProcess> scheduler = Optional.empty();

    RunningKubeScheduler() {
        // Traces set priorities and overhead directly, without classes.
        this.plane = RealControlPlane.start(ControlPlaneOptions.bare()
                .withApiServerFlag(
                        "--disable-admission-plugins=ServiceAccount,TaintNodesByCondition,Priority,RuntimeClass"));
        this.api = new HttpApi(plane.access());
    }

    /** Creates an object; says whether the API server takes it, which is particular about what makes sense. */
    boolean create(ObjectNode object) {
        ApiResponse apiResponse = api.post(collectionPath(object), object);
        if (apiResponse.status() != 422) {
            apiResponse.expect(201);
        }
        return apiResponse.status() == 201;
    }

    /** What there is of a kind in the whole cluster, as the API server shows it. */
    List<ObjectNode> list(String apiVersion, String kind) {
        List<ObjectNode> objects = new ArrayList<>();
        ApiResponse apiResponse =
                api.get("/api/v1/" + kind.toLowerCase(Locale.ROOT) + "s").expect(200);
        for (JsonNode item : apiResponse.json().path("items")) {
            // Lists leave out what they are lists of.
            objects.add(((ObjectNode) item).put("apiVersion", apiVersion).put("kind", kind));
        }
        return objects;
    }

    /** Starts kube-scheduler, which reads all that is there before it decides anything. */
    void start() {
        List<String> command = new ArrayList<>(ControlPlaneBinaries.find().command("kube-scheduler"));
        command.addAll(List.of("--config=" + configuration(), "--secure-port=0", "--v=10"));
        scheduler = Optional.of(plane.startProcess("kube-scheduler", command));
    }

    private Path configuration() {
        try {
            Path file = plane.kubeconfig().resolveSibling("all-nodes.yaml");
            return Files.writeString(
                    file,
                    RealControlPlane.defaultSchedulerConfiguration(plane.kubeconfig())
                            + "percentageOfNodesToScore: 100\n");
        } catch (IOException e) {
            throw new UncheckedIOException("no configuration for kube-scheduler", e);
        }
    }

    /**
     * The decision on a pod of the API server: it is bound, or refused with a message. Scores are available only if at
     * least two nodes are feasible; otherwise the feasible nodes are unknown and omitted.
     */
    SchedulingOutcome awaitOutcome(ObjectNode pod) {
        String path = collectionPath(pod) + "/" + ApiObjects.name(pod);
        JsonNode decided = Eventually.get(() -> {
            JsonNode now = api.get(path).expect(200).json();
            assertThat(node(now) + unschedulableMessage(now)).isNotEmpty();
            return now;
        });
        SortedMap<String, Long> scores = scores(ApiObjects.namespace(pod) + "/" + ApiObjects.name(pod));
        return new SchedulingOutcome(scores, unschedulableMessage(decided), node(decided), new TreeMap<>(), "");
    }

    void delete(ObjectNode pod) {
        api.delete(
                        collectionPath(pod) + "/" + ApiObjects.name(pod),
                        ApiObjects.parse("{\"apiVersion\":\"v1\",\"kind\":\"DeleteOptions\",\"gracePeriodSeconds\":0}"))
                .expect(200);
    }

    private static String collectionPath(ObjectNode object) {
        String path =
                Optional.ofNullable(COLLECTIONS.get(ApiObjects.kind(object))).orElseThrow();
        return path.formatted(ApiObjects.namespace(object));
    }

    private static String node(JsonNode pod) {
        return pod.path("spec").path("nodeName").asText();
    }

    private static String unschedulableMessage(JsonNode pod) {
        for (JsonNode condition : pod.path("status").path("conditions")) {
            if (condition.path("type").asText().equals("PodScheduled")
                    && condition.path("status").asText().equals("False")) {
                return condition.path("message").asText();
            }
        }
        return "";
    }

    private SortedMap<String, Long> scores(String pod) {
        SortedMap<String, Long> scores = new TreeMap<>();
        try {
            for (String line : Files.readAllLines(scheduler.orElseThrow().logFile())) {
                Matcher score = SCORE.matcher(line);
                if (score.find() && score.group(1).equals(pod)) {
                    scores.put(score.group(2), Long.parseLong(score.group(3)));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("kube-scheduler's log cannot be read", e);
        }
        return scores;
    }

    @Override
    public void close() {
        plane.close();
    }
}
