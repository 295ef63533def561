package dev.berth.testkit.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.Workload;
import dev.berth.core.resource.ResourceName;
import dev.berth.testkit.contract.Contract;
import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.contract.Manifests;
import dev.berth.testkit.contract.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the feed tells of a server. */
abstract class FeedContract extends Contract {
    private final List<Client> clients = new ArrayList<>();

    @AfterEach
    void closeClients() {
        clients.forEach(Client::close);
    }

    @Test
    void whatIsThereIsListedAndWhatHappensIsWatched() {
        String node = scratch.name("wire");
        scratch.create("/api/v1/nodes", node(node));
        ObjectNode pod = Manifests.pod("first");
        pod.withObjectProperty("metadata")
                .putObject("annotations")
                .put("berth.dev/x", "y")
                .put("other", "z");
        api.post(scratch.path("pods"), pod).expect(201);
        Client client = client().watching();
        Eventually.holds(() -> assertThat(client.diary.complete()).isTrue());
        Pod seen = client.diary.pod(scratch.namespace(), "first").orElseThrow();
        assertThat(seen.annotations()).isEqualTo(Labels.of("berth.dev/x", "y"));
        assertThat(seen.schedulerName()).isEqualTo("nobody");
        assertThat(seen.shape().images()).containsExactly("nginx:latest");
        Node listed = client.diary.node(node).orElseThrow();
        assertThat(listed.allocatable().get(ResourceName.CPU)).isEqualTo(7_500);

        api.post(scratch.path("pods"), Manifests.pod("second")).expect(201);
        api.delete(scratch.path("pods/first?gracePeriodSeconds=0"));
        Eventually.holds(
                () -> assertThat(client.diary.podNames(scratch.namespace())).containsExactly("second"));
        assertThat(client.diary.lines).contains("pod first", "pod second", "gone first");
    }

    @Test
    void workloadsAreKnownByWhatTheySelect() {
        Client client = client().watching();
        api.post(
                        scratch.path("services"),
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
        api.post(scratch.path("apps/v1", "replicasets"), set).expect(201);
        LabelSelector selector = LabelSelector.of(Labels.of("app", "web"));
        Workload.Key service = new Workload.Key(Workload.Kind.SERVICE, scratch.namespace(), "web");
        Workload.Key replicaSet = new Workload.Key(Workload.Kind.REPLICA_SET, scratch.namespace(), "web");
        Eventually.holds(() -> {
            assertThat(client.diary.workload(service).map(Workload::selector)).contains(selector);
            assertThat(client.diary.workload(replicaSet).map(Workload::selector))
                    .contains(selector);
        });
        api.delete(scratch.path("services/web"));
        Eventually.holds(() -> assertThat(client.diary.workload(service)).isEmpty());
    }

    @Test
    void deletionsOfATimeNobodyLookedAreToldBeforeThePodsAreCalledListed() {
        Reply before = api.post(scratch.path("pods"), Manifests.pod("mark")).expect(201);
        api.post(scratch.path("pods"), Manifests.pod("missed")).expect(201);
        api.delete(scratch.path("pods/missed?gracePeriodSeconds=0"));
        Client client = client().watchingAfter(before.version());
        Eventually.holds(() -> assertThat(client.diary.complete()).isTrue());
        List<String> lines = client.diary.lines;
        assertThat(lines).contains("gone missed");
        assertThat(lines.indexOf("gone missed")).isLessThan(lines.indexOf("listed PODS"));
        assertThat(client.diary.podNames(scratch.namespace())).containsExactly("mark");
    }

    @Test
    void aPastThatTheServerHasForgottenIsNoReasonNotToBegin() {
        Reply before = api.post(scratch.path("pods"), Manifests.pod("mark")).expect(201);
        Reply after = api.post(scratch.path("pods"), Manifests.pod("after")).expect(201);
        server.forget(after.version());
        Client client = client().watchingAfter(before.version());
        Eventually.holds(() -> assertThat(client.diary.complete()).isTrue());
        api.post(scratch.path("pods"), Manifests.pod("new")).expect(201);
        Eventually.holds(
                () -> assertThat(client.diary.podNames(scratch.namespace())).containsExactly("after", "mark", "new"));
    }

    @Test
    void aServerThatForgetsWhileItIsWatchedLosesNothing() {
        api.post(scratch.path("pods"), Manifests.pod("a")).expect(201);
        Client client = client().watching();
        Eventually.holds(() -> assertThat(client.diary.complete()).isTrue());
        Reply last = api.post(scratch.path("pods"), Manifests.pod("b")).expect(201);
        server.forget(last.version());
        api.post(scratch.path("pods"), Manifests.pod("c")).expect(201);
        api.delete(scratch.path("pods/a?gracePeriodSeconds=0"));
        Eventually.holds(
                () -> assertThat(client.diary.podNames(scratch.namespace())).containsExactly("b", "c"));
    }

    @Test
    void aNodeThatIsRegisteredAgainIsAnotherNode() {
        String name = scratch.name("again");
        Reply first = api.post("/api/v1/nodes", node(name)).expect(201);
        Client client = client().watching();
        Eventually.holds(() -> assertThat(client.diary.node(name)).isPresent());
        api.delete("/api/v1/nodes/" + name);
        Reply second = scratch.create("/api/v1/nodes", node(name));
        assertThat(second.uid()).isNotEqualTo(first.uid());
        Eventually.holds(
                () -> assertThat(client.diary.node(name).map(node -> node.uid().value()))
                        .isEqualTo(Optional.of(second.uid())));
    }

    private Client client() {
        Client client = new Client(server.access());
        clients.add(client);
        return client;
    }

    private static ObjectNode node(String name) {
        return Manifests.yaml("{apiVersion: v1, kind: Node, metadata: {name: %s}, status: {allocatable:".formatted(name)
                + " {cpu: 7500m, memory: 8Gi, pods: '110'}, capacity: {cpu: '8', memory: 9Gi, pods: '110'}}}");
    }
}
