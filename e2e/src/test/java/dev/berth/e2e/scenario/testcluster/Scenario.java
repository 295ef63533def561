package dev.berth.e2e.scenario.testcluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Workload;
import dev.berth.core.ledger.Snapshot;
import dev.berth.testkit.contract.ApiResponse;
import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.contract.HttpApi;
import dev.berth.testkit.contract.Manifests;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * One test's part of a stage: the nodes, pods and other objects that it makes, and no others. What Berth hears of on
 * different ways is waited for, so that a decision rests on all that was there before it. Everything is taken away at
 * the end, and Berth knows of none of it when the next scene begins.
 */
public final class Scenario implements AutoCloseable {
    /** Where pods are that name no other namespace. */
    public static final String NAMESPACE = "scene";

    private final TestCluster testCluster;
    private final HttpApi api;
    private final Set<String> nodes = new TreeSet<>();
    private final Set<String> namespaces = new LinkedHashSet<>();
    private final Deque<String> toDelete = new ArrayDeque<>();
    private final List<String> objects = new ArrayList<>();

    Scenario(TestCluster testCluster) {
        this.testCluster = testCluster;
        this.api = testCluster.api();
        namespace(NAMESPACE, "of=scene");
    }

    public TestCluster testCluster() {
        return testCluster;
    }

    public HttpApi api() {
        return api;
    }

    /** Makes a namespace with labels such as {@code team=a}; one of that name that is there already is labelled so. */
    public void namespace(String name, String labels) {
        ObjectNode body = Manifests.yaml("{apiVersion: v1, kind: Namespace, metadata: {name: %s}}".formatted(name));
        KeyValuePairs.putAll(body.withObject("/metadata").withObject("/labels"), labels);
        ApiResponse created = api.post("/api/v1/namespaces", body);
        if (created.status() == 409) {
            patch("/api/v1/namespaces/" + name, body.toString());
        } else {
            created.expect(201);
        }
        namespaces.add(name);
        JsonNode wanted = body.at("/metadata/labels");
        Eventually.holds(() -> {
            Labels known = testCluster.berth().snapshot().namespaceLabels(name);
            wanted.properties()
                    .forEach(label -> assertThat(known.get(label.getKey()))
                            .as("label (%s) that Berth knows of namespace (%s)", label.getKey(), name)
                            .contains(label.getValue().asText()));
        });
    }

    /** Adds nodes, and waits until Berth knows of them. */
    public void nodes(NodeManifest... more) {
        for (NodeManifest node : more) {
            ApiResponse created = api.post("/api/v1/nodes", node.json()).expect(201);
            nodes.add(created.uid());
            deleteLater("/api/v1/nodes/" + created.at("/metadata/name"));
        }
        for (NodeManifest node : more) {
            awaitKubelet(node);
        }
        Eventually.holds(
                () -> assertThat(knownNodes(testCluster.berth().snapshot())).isEqualTo(nodes));
        testCluster.awaitNodes(nodes.size());
    }

    /** Takes a node away, and waits until the scheduler knows: it hears of pods on another way. */
    public void deleteNode(String name) {
        String path = "/api/v1/nodes/" + name;
        nodes.remove(api.get(path).expect(200).uid());
        api.delete(path).expect(200);
        Eventually.holds(
                () -> assertThat(knownNodes(testCluster.berth().snapshot())).isEqualTo(nodes));
        testCluster.awaitNodes(nodes.size());
    }

    /** Pods that come before their kubelet knows its own address are tried again after a second. */
    private void awaitKubelet(NodeManifest node) {
        if (node.hasKubelet()) {
            Eventually.holds(
                    () -> assertThat(api.get("/api/v1/nodes/" + node.name()).at("/status/addresses/0/address"))
                            .as("address of node (%s)", node.name())
                            .isNotEmpty());
        }
    }

    /** Makes a pod. */
    public void pod(PodManifest pod) {
        postPod(pod).expect(201);
    }

    /** Makes a pod as soon as the API server takes it, which hears of priority classes and the like in its own time. */
    public void podOnceAccepted(PodManifest pod) {
        Eventually.holds(() -> postPod(pod).expect(201));
    }

    /** Makes pods in that order. */
    public void pods(List<PodManifest> pods) {
        pods.forEach(this::pod);
    }

    /** What the API server answers to a pod. */
    public ApiResponse postPod(PodManifest pod) {
        return api.post("/api/v1/namespaces/%s/pods".formatted(pod.namespaceOr(NAMESPACE)), pod.json());
    }

    /** Makes some other object, such as a Service: {@code /api/v1/namespaces/scene/services}. */
    public void object(String path, String yaml) {
        ApiResponse created = api.post(path, Manifests.yaml(yaml)).expect(201);
        String where = path + "/" + created.at("/metadata/name");
        objects.add(where);
        deleteLater(where);
    }

    /** Changes an object by a merge patch, as YAML or JSON. */
    public void patch(String path, String yaml) {
        api.patch(path, HttpApi.MERGE_PATCH, Manifests.yaml(yaml).toString()).expect(200);
    }

    public JsonNode get(String pod) {
        return api.get(path(pod)).expect(200).json();
    }

    /** Where a pod of this scene is on the API server. */
    public String path(String pod) {
        return "/api/v1/namespaces/%s/pods/%s".formatted(NAMESPACE, pod);
    }

    /** Waits until the pod has a node, and names it; a pod that is refused meanwhile says why when time is up. */
    public String nodeOf(String pod) {
        return Eventually.get(() -> {
            JsonNode found = get(pod);
            assertThat(found.at("/spec/nodeName").asText())
                    .as("node of pod (%s), of which is said: %s", pod, condition(found))
                    .isNotEmpty();
            return found.at("/spec/nodeName").asText();
        });
    }

    /** Waits until the pod is told that it has no place now, and gives the words. */
    public String unschedulableMessage(String pod) {
        return Eventually.get(() -> {
            JsonNode found = get(pod);
            JsonNode said = condition(found);
            assertThat(said.path("reason").asText())
                    .as(
                            "what is said of pod (%s) on node (%s)",
                            pod, found.at("/spec/nodeName").asText())
                    .isEqualTo("Unschedulable");
            assertThat(said.path("status").asText()).isEqualTo("False");
            return said.path("message").asText();
        });
    }

    /** Waits until the pod runs, and names its node. */
    public String nodeOfRunning(String pod) {
        Eventually.holds(() -> assertThat(get(pod).at("/status/phase").asText())
                .as("phase of pod (%s)", pod)
                .isEqualTo("Running"));
        return nodeOf(pod);
    }

    /** Waits until there are so many pods with the label and all have a node, and names the node of each. */
    public List<String> nodesOf(String label, int count) {
        return Eventually.get(() -> {
            JsonNode list = api.get("/api/v1/namespaces/%s/pods?labelSelector=%s".formatted(NAMESPACE, label))
                    .expect(200)
                    .json();
            List<String> found = StreamSupport.stream(list.path("items").spliterator(), false)
                    .map(pod -> pod.at("/spec/nodeName").asText())
                    .toList();
            assertThat(found)
                    .as("nodes of pods with label (%s)", label)
                    .hasSize(count)
                    .doesNotContain("");
            return found;
        });
    }

    /** The condition PodScheduled; missing where nothing is said yet. */
    private static JsonNode condition(JsonNode pod) {
        return StreamSupport.stream(pod.at("/status/conditions").spliterator(), false)
                .filter(condition -> condition.path("type").asText().equals("PodScheduled"))
                .findFirst()
                .orElseGet(() -> pod.path("none"));
    }

    /** Waits for the events that people look for when a pod has no place, and gives their words, a line each. */
    public String failedSchedulingMessage(String pod) {
        return event(pod, "Warning", "FailedScheduling");
    }

    /** Waits for the event that people look for when a pod has a place, and gives its words. */
    public String scheduledMessage(String pod) {
        return event(pod, "Normal", "Scheduled");
    }

    /** As people and tests know them: core/v1, named after the pod. */
    private String event(String pod, String type, String reason) {
        return Eventually.get(() -> {
            List<JsonNode> found = events(pod).stream()
                    .filter(event -> event.path("reason").asText().equals(reason))
                    .toList();
            assertThat(found)
                    .as("events (%s) of pod (%s)", reason, pod)
                    .isNotEmpty()
                    .allMatch(event -> event.path("type").asText().equals(type))
                    .allMatch(event -> event.at("/metadata/name").asText().startsWith(pod));
            return found.stream().map(event -> event.path("message").asText()).collect(Collectors.joining("\n"));
        });
    }

    /** The events about the pod, as they are now: core/v1 objects. */
    public List<JsonNode> events(String pod) {
        String about = "involvedObject.uid=" + get(pod).at("/metadata/uid").asText();
        JsonNode list = api.get("/api/v1/namespaces/%s/events?fieldSelector=%s".formatted(NAMESPACE, about))
                .expect(200)
                .json();
        List<JsonNode> events = new ArrayList<>();
        list.path("items").forEach(events::add);
        return events;
    }

    public void delete(String pod) {
        api.delete(path(pod) + "?gracePeriodSeconds=0").expect(200);
    }

    public void deleteLater(String path) {
        toDelete.push(path);
    }

    @Override
    public void close() {
        while (!toDelete.isEmpty()) {
            String path = toDelete.pop();
            ApiResponse apiResponse = api.delete(path + "?gracePeriodSeconds=0&propagationPolicy=Background");
            if (apiResponse.status() != 404 && apiResponse.status() / 100 != 2) {
                throw new AssertionError("DELETE %s after a scene: %s".formatted(path, apiResponse));
            }
        }
        // Whoever makes pods may do so once more before he hears that he is gone.
        Eventually.holds(() -> {
            for (String namespace : namespaces) {
                api.delete("/api/v1/namespaces/%s/pods?gracePeriodSeconds=0".formatted(namespace))
                        .expect(200);
            }
            Snapshot now = testCluster.berth().snapshot();
            assertThat(knownPods(now)).as("pods that Berth still knows").isEmpty();
            assertThat(knownNodes(now)).as("nodes that Berth still knows").isEmpty();
            assertThat(knownWorkloads(now))
                    .as("workloads that Berth still knows")
                    .isEmpty();
        });
        // Those that are protected as long as they are in use go in their controllers' time; their names are used
        // again.
        objects.forEach(path -> Eventually.holds(
                () -> assertThat(api.get(path).status()).as(path).isEqualTo(404)));
    }

    /** Waits until Berth knows of the Service, ReplicaSet or the like: it hears of pods on another way. */
    public void awaitWorkload(String name) {
        Eventually.holds(
                () -> assertThat(knownWorkloads(testCluster.berth().snapshot())).contains(name));
    }

    private static List<String> knownWorkloads(Snapshot snapshot) {
        return snapshot.facts().workloads().stream()
                .filter(workload -> workload.namespace().equals(NAMESPACE))
                .map(Workload::name)
                .toList();
    }

    private static Set<String> knownNodes(Snapshot snapshot) {
        Set<String> known = new TreeSet<>();
        snapshot.forEachNode(state -> known.add(state.node().uid().value()));
        return known;
    }

    private static List<String> knownPods(Snapshot snapshot) {
        List<String> known = new ArrayList<>();
        snapshot.forEachPod(pod -> known.add(pod.namespace() + "/" + pod.name()));
        return known;
    }
}
