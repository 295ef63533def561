package dev.berth.testkit.referee;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.testkit.contract.Api;
import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.contract.Reply;
import dev.berth.testkit.controlplane.ControlPlaneOptions;
import dev.berth.testkit.controlplane.GuardedProcess;
import dev.berth.testkit.controlplane.Programs;
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
final class RunningScheduler implements AutoCloseable {
    private static final Pattern SCORE =
            Pattern.compile("\"Calculated node's final score for pod\" pod=\"(\\S+)\" node=\"(\\S+)\" score=(\\d+)");
    private static final Map<String, String> COLLECTIONS = Map.of(
            "Namespace", "/api/v1/namespaces",
            "Node", "/api/v1/nodes",
            "Pod", "/api/v1/namespaces/%s/pods",
            "Service", "/api/v1/namespaces/%s/services");

    private final RealControlPlane plane;
    private final Api api;
    private Optional<GuardedProcess> scheduler = Optional.empty();

    RunningScheduler() {
        // Priorities and overhead are said outright in trials, without classes.
        this.plane = RealControlPlane.start(ControlPlaneOptions.bare()
                .withApiServerFlag(
                        "--disable-admission-plugins=ServiceAccount,TaintNodesByCondition,Priority,RuntimeClass"));
        this.api = new Api(plane.access());
    }

    /** Creates an object; says whether the API server takes it, which is particular about what makes sense. */
    boolean create(ObjectNode object) {
        Reply reply = api.post(collection(object), object);
        if (reply.status() != 422) {
            reply.expect(201);
        }
        return reply.status() == 201;
    }

    /** What there is of a kind in the whole cluster, as the API server shows it. */
    List<ObjectNode> list(String apiVersion, String kind) {
        List<ObjectNode> objects = new ArrayList<>();
        Reply reply = api.get("/api/v1/" + kind.toLowerCase(Locale.ROOT) + "s").expect(200);
        for (JsonNode item : reply.json().path("items")) {
            // Lists leave out what they are lists of.
            objects.add(((ObjectNode) item).put("apiVersion", apiVersion).put("kind", kind));
        }
        return objects;
    }

    /** Starts kube-scheduler, which reads all that is there before it decides anything. */
    void start() {
        List<String> command = new ArrayList<>(Programs.find().command("kube-scheduler"));
        command.addAll(List.of("--config=" + configuration(), "--secure-port=0", "--v=10"));
        scheduler = Optional.of(plane.startBeside("kube-scheduler", command));
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
     * What it does with a pod that the API server has: it is bound, or refused in words. Scores are there when at least two
     * nodes take the pod; else the feasible nodes are not known, and none are said.
     */
    Ruling rule(ObjectNode pod) {
        String path = collection(pod) + "/" + Objects.name(pod);
        JsonNode decided = Eventually.got(() -> {
            JsonNode now = api.get(path).expect(200).json();
            assertThat(node(now) + refusal(now)).isNotEmpty();
            return now;
        });
        SortedMap<String, Long> scores = scores(Objects.namespace(pod) + "/" + Objects.name(pod));
        return new Ruling(scores, refusal(decided), node(decided), new TreeMap<>(), "");
    }

    void delete(ObjectNode pod) {
        api.delete(
                        collection(pod) + "/" + Objects.name(pod),
                        Objects.parse("{\"apiVersion\":\"v1\",\"kind\":\"DeleteOptions\",\"gracePeriodSeconds\":0}"))
                .expect(200);
    }

    private static String collection(ObjectNode object) {
        String path = Optional.ofNullable(COLLECTIONS.get(Objects.kind(object))).orElseThrow();
        return path.formatted(Objects.namespace(object));
    }

    private static String node(JsonNode pod) {
        return pod.path("spec").path("nodeName").asText();
    }

    private static String refusal(JsonNode pod) {
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
            for (String line : Files.readAllLines(scheduler.orElseThrow().log())) {
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
