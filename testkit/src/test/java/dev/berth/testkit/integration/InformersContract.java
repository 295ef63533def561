package dev.berth.testkit.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.Workload;
import dev.berth.core.resource.ResourceName;
import dev.berth.testkit.contract.ApiResponse;
import dev.berth.testkit.contract.ApiServerContract;
import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.contract.Manifests;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The facts that the informers publish. */
abstract class InformersContract extends ApiServerContract {
    private final List<BerthApiSide> berthApiSides = new ArrayList<>();

    @AfterEach
    void closeClients() {
        berthApiSides.forEach(BerthApiSide::close);
    }

    @Test
    void existingObjectsAreListedAndChangesAreWatched() {
        String node = testNamespace.uniqueName("wire");
        testNamespace.create("/api/v1/nodes", node(node));
        ObjectNode pod = Manifests.pod("first");
        pod.withObjectProperty("metadata")
                .putObject("annotations")
                .put("berth.dev/x", "y")
                .put("other", "z");
        api.post(testNamespace.path("pods"), pod).expect(201);
        BerthApiSide berthApiSide = berthApiSide().startInformers();
        Eventually.holds(
                () -> assertThat(berthApiSide.recordingFactSink.complete()).isTrue());
        Pod seen = berthApiSide
                .recordingFactSink
                .pod(testNamespace.namespace(), "first")
                .orElseThrow();
        assertThat(seen.annotations()).isEqualTo(Labels.of("berth.dev/x", "y"));
        assertThat(seen.schedulerName()).isEqualTo("nobody");
        assertThat(seen.spec().images()).containsExactly("nginx:latest");
        Node listed = berthApiSide.recordingFactSink.node(node).orElseThrow();
        assertThat(listed.allocatable().get(ResourceName.CPU)).isEqualTo(7_500);

        api.post(testNamespace.path("pods"), Manifests.pod("second")).expect(201);
        api.delete(testNamespace.path("pods/first?gracePeriodSeconds=0"));
        Eventually.holds(() -> assertThat(berthApiSide.recordingFactSink.podNames(testNamespace.namespace()))
                .containsExactly("second"));
        assertThat(berthApiSide.recordingFactSink.lines).contains("pod first", "pod second", "gone first");
    }

    @Test
    void workloadSelectorsAreRead() {
        BerthApiSide berthApiSide = berthApiSide().startInformers();
        api.post(
                        testNamespace.path("services"),
                        Manifests.yaml("{apiVersion: v1, kind: Service, metadata: {name: web},"
                                + " spec: {selector: {app: web}, ports: [{port: 80}]}}"))
                .expect(201);
        ObjectNode set = Manifests.yaml("""
                apiVersion: apps/v1
                kind: ReplicaSet
                metadata: {name: web}
                spec:
                  replicas: 0
                  selector: {matchLabels: {app: web}}
                  template:
                    metadata: {labels: {app: web}}
                    spec: {containers: [{name: c, image: nginx}]}
                """);
        api.post(testNamespace.path("apps/v1", "replicasets"), set).expect(201);
        LabelSelector selector = LabelSelector.of(Labels.of("app", "web"));
        Workload.WorkloadKey service =
                new Workload.WorkloadKey(Workload.Kind.SERVICE, testNamespace.namespace(), "web");
        Workload.WorkloadKey replicaSet =
                new Workload.WorkloadKey(Workload.Kind.REPLICA_SET, testNamespace.namespace(), "web");
        Eventually.holds(() -> {
            assertThat(berthApiSide.recordingFactSink.workload(service).map(Workload::selector))
                    .contains(selector);
            assertThat(berthApiSide.recordingFactSink.workload(replicaSet).map(Workload::selector))
                    .contains(selector);
        });
        api.delete(testNamespace.path("services/web"));
        Eventually.holds(() ->
                assertThat(berthApiSide.recordingFactSink.workload(service)).isEmpty());
    }

    @Test
    void missedDeletionsAreReplayedBeforePodsAreListed() {
        ApiResponse before =
                api.post(testNamespace.path("pods"), Manifests.pod("mark")).expect(201);
        api.post(testNamespace.path("pods"), Manifests.pod("missed")).expect(201);
        api.delete(testNamespace.path("pods/missed?gracePeriodSeconds=0"));
        BerthApiSide berthApiSide = berthApiSide().startInformersAfter(before.resourceVersion());
        Eventually.holds(
                () -> assertThat(berthApiSide.recordingFactSink.complete()).isTrue());
        List<String> lines = berthApiSide.recordingFactSink.lines;
        assertThat(lines).contains("gone missed");
        assertThat(lines.indexOf("gone missed")).isLessThan(lines.indexOf("listed PODS"));
        assertThat(berthApiSide.recordingFactSink.podNames(testNamespace.namespace()))
                .containsExactly("mark");
    }

    @Test
    void aCompactedResumeVersionFallsBackToAList() {
        ApiResponse before =
                api.post(testNamespace.path("pods"), Manifests.pod("mark")).expect(201);
        ApiResponse after =
                api.post(testNamespace.path("pods"), Manifests.pod("after")).expect(201);
        server.compact(after.resourceVersion());
        BerthApiSide berthApiSide = berthApiSide().startInformersAfter(before.resourceVersion());
        Eventually.holds(
                () -> assertThat(berthApiSide.recordingFactSink.complete()).isTrue());
        api.post(testNamespace.path("pods"), Manifests.pod("new")).expect(201);
        Eventually.holds(() -> assertThat(berthApiSide.recordingFactSink.podNames(testNamespace.namespace()))
                .containsExactly("after", "mark", "new"));
    }

    @Test
    void compactionDuringAWatchLosesNoEvent() {
        api.post(testNamespace.path("pods"), Manifests.pod("a")).expect(201);
        BerthApiSide berthApiSide = berthApiSide().startInformers();
        Eventually.holds(
                () -> assertThat(berthApiSide.recordingFactSink.complete()).isTrue());
        ApiResponse last =
                api.post(testNamespace.path("pods"), Manifests.pod("b")).expect(201);
        server.compact(last.resourceVersion());
        api.post(testNamespace.path("pods"), Manifests.pod("c")).expect(201);
        api.delete(testNamespace.path("pods/a?gracePeriodSeconds=0"));
        Eventually.holds(() -> assertThat(berthApiSide.recordingFactSink.podNames(testNamespace.namespace()))
                .containsExactly("b", "c"));
    }

    @Test
    void aRecreatedNodeIsANewNode() {
        String name = testNamespace.uniqueName("again");
        ApiResponse first = api.post("/api/v1/nodes", node(name)).expect(201);
        BerthApiSide berthApiSide = berthApiSide().startInformers();
        Eventually.holds(
                () -> assertThat(berthApiSide.recordingFactSink.node(name)).isPresent());
        api.delete("/api/v1/nodes/" + name);
        ApiResponse second = testNamespace.create("/api/v1/nodes", node(name));
        assertThat(second.uid()).isNotEqualTo(first.uid());
        Eventually.holds(() -> assertThat(berthApiSide
                        .recordingFactSink
                        .node(name)
                        .map(node -> node.uid().value()))
                .isEqualTo(Optional.of(second.uid())));
    }

    private BerthApiSide berthApiSide() {
        BerthApiSide berthApiSide = new BerthApiSide(server.access());
        berthApiSides.add(berthApiSide);
        return berthApiSide;
    }

    private static ObjectNode node(String name) {
        return Manifests.yaml("{apiVersion: v1, kind: Node, metadata: {name: %s}, status: {allocatable:".formatted(name)
                + " {cpu: 7500m, memory: 8Gi, pods: '110'}, capacity: {cpu: '8', memory: 9Gi, pods: '110'}}}");
    }
}
