package dev.berth.testkit.contract.writing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.testkit.contract.ApiRequest;
import dev.berth.testkit.contract.ApiResponse;
import dev.berth.testkit.contract.ApiServerContract;
import dev.berth.testkit.contract.ApiWatch;
import dev.berth.testkit.contract.HttpApi;
import dev.berth.testkit.contract.Manifests;
import dev.berth.testkit.contract.ProtoMessage;
import dev.berth.testkit.contract.ProtoMessageBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Protobuf in and out, by the field numbers of Kubernetes' own definitions. */
public abstract class ProtobufContract extends ApiServerContract {

    private static final String STREAM = HttpApi.PROTOBUF + ";stream=watch";

    @Test
    void aPodIsReadInProtobuf() {
        ApiResponse json =
                api.post(testNamespace.path("pods"), Manifests.pod("web")).expect(201);

        ApiResponse apiResponse = send("GET", testNamespace.path("pods/web")).expect(200);

        assertThat(apiResponse.header("Content-Type")).containsExactly(HttpApi.PROTOBUF);
        ProtoMessage.Envelope envelope = ProtoMessage.openEnvelope(apiResponse.bytes());
        assertThat(envelope.apiVersion()).isEqualTo("v1");
        assertThat(envelope.kind()).isEqualTo("Pod");
        ProtoMessage metadata = envelope.object().message(1);
        assertThat(metadata.text(1)).isEqualTo("web");
        assertThat(metadata.text(3)).isEqualTo(testNamespace.namespace());
        assertThat(metadata.text(5)).isEqualTo(json.uid());
        assertThat(metadata.text(6)).isEqualTo(json.resourceVersion());
        ProtoMessage spec = envelope.object().message(2);
        assertThat(spec.messages(2).get(0).text(1)).isEqualTo("main");
        assertThat(spec.text(19)).isEqualTo("nobody");
        assertThat(envelope.object().message(3).text(1)).isEqualTo("Pending");
    }

    @Test
    void quantitiesAndLabelsAreEncodedInProtobuf() {
        String name = testNamespace.uniqueName("n");
        testNamespace.create(
                "/api/v1/nodes",
                Manifests.yaml(
                        "{apiVersion: v1, kind: Node, metadata: {name: %s, labels: {zone: a}}}".formatted(name)));
        api.patch(
                        "/api/v1/nodes/" + name + "/status",
                        HttpApi.MERGE_PATCH,
                        "{\"status\":{\"allocatable\":{\"cpu\":\"1500m\"}}}")
                .expect(200);

        ProtoMessage node = ProtoMessage.openEnvelope(
                        send("GET", "/api/v1/nodes/" + name).expect(200).bytes())
                .object();

        ProtoMessage label = node.message(1).messages(11).get(0);
        assertThat(List.of(label.text(1), label.text(2))).containsExactly("zone", "a");
        ProtoMessage allocatable = node.message(3).messages(2).get(0);
        assertThat(allocatable.text(1)).isEqualTo("cpu");
        assertThat(allocatable.message(2).text(1)).isEqualTo("1500m");
    }

    @Test
    void aListIsReadInProtobuf() {
        api.post(testNamespace.path("pods"), Manifests.pod("a")).expect(201);
        api.post(testNamespace.path("pods"), Manifests.pod("b")).expect(201);

        ProtoMessage.Envelope list = ProtoMessage.openEnvelope(
                send("GET", testNamespace.path("pods?limit=1")).expect(200).bytes());

        assertThat(list.kind()).isEqualTo("PodList");
        assertThat(list.object().message(1).text(2)).matches("[1-9][0-9]*");
        assertThat(list.object().message(1).text(3)).isNotEmpty();
        assertThat(list.object().message(1).number(4)).isEqualTo(1);
        assertThat(list.object().messages(2).stream()
                        .map(pod -> pod.message(1).text(1))
                        .toList())
                .containsExactly("a");
    }

    @ParameterizedTest
    @CsvSource({
        "/api/v1/pods, v1, PodList",
        "/api/v1/nodes, v1, NodeList",
        "/api/v1/services, v1, ServiceList",
        "/api/v1/replicationcontrollers, v1, ReplicationControllerList",
        "/apis/apps/v1/replicasets, apps/v1, ReplicaSetList",
        "/apis/apps/v1/statefulsets, apps/v1, StatefulSetList",
        "/apis/coordination.k8s.io/v1/leases, coordination.k8s.io/v1, LeaseList",
        "/apis/scheduling.k8s.io/v1/priorityclasses, scheduling.k8s.io/v1, PriorityClassList",
    })
    void allThatASchedulerReadsIsListedInProtobuf(String path, String apiVersion, String kind) {
        ProtoMessage.Envelope list =
                ProtoMessage.openEnvelope(send("GET", path).expect(200).bytes());

        assertThat(list.apiVersion()).isEqualTo(apiVersion);
        assertThat(list.kind()).isEqualTo(kind);
        assertThat(list.object().message(1).text(2)).matches("[1-9][0-9]*");
    }

    @Test
    void aWatchInProtobufComesInFrames() {
        String from = api.get(testNamespace.path("pods")).resourceVersion();
        try (ApiWatch watch = api.watch(testNamespace.path("pods?resourceVersion=" + from), STREAM)) {
            api.post(testNamespace.path("pods"), Manifests.pod("web")).expect(201);
            api.delete(testNamespace.path("pods/web")).expect(200);

            ProtoMessage added = watch.nextFrame();
            assertThat(added.text(1)).isEqualTo("ADDED");
            assertThat(objectOf(added).kind()).isEqualTo("Pod");
            assertThat(objectOf(added).object().message(1).text(1)).isEqualTo("web");
            // Before it goes it is marked as going, on a real server in a change of its own.
            ProtoMessage last = watch.nextFrame();
            while (last.text(1).equals("MODIFIED")) {
                last = watch.nextFrame();
            }
            assertThat(last.text(1)).isEqualTo("DELETED");
        }
    }

    @Test
    void aStreamedListInProtobufEndsWithABookmark() {
        api.post(testNamespace.path("pods"), Manifests.pod("web")).expect(201);
        String path = testNamespace.path(
                "pods?sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true");
        try (ApiWatch watch = api.watch(path, STREAM)) {
            assertThat(watch.nextFrame().text(1)).isEqualTo("ADDED");
            ProtoMessage mark = watch.nextFrame();

            assertThat(mark.text(1)).isEqualTo("BOOKMARK");
            ProtoMessage metadata = objectOf(mark).object().message(1);
            assertThat(metadata.text(6)).matches("[1-9][0-9]*");
            assertThat(metadata.messages(12).get(0).text(1)).isEqualTo("k8s.io/initial-events-end");
        }
    }

    @Test
    void anExpiredVersionIsAStatusInAFrame() {
        String old = api.post(testNamespace.path("pods"), Manifests.pod("a"))
                .expect(201)
                .resourceVersion();
        server.compact(api.post(testNamespace.path("pods"), Manifests.pod("b"))
                .expect(201)
                .resourceVersion());

        try (ApiWatch watch = api.watch(testNamespace.path("pods?resourceVersion=" + old), STREAM)) {
            ProtoMessage error = watch.nextFrame();

            assertThat(error.text(1)).isEqualTo("ERROR");
            ProtoMessage.Envelope status = objectOf(error);
            assertThat(status.kind()).isEqualTo("Status");
            assertThat(status.object().text(4)).isEqualTo("Expired");
            assertThat(status.object().number(6)).isEqualTo(410);
        }
    }

    @Test
    void aFailureIsAStatusInProtobuf() {
        ApiResponse apiResponse = send("GET", testNamespace.path("pods/nobody")).expect(404);

        ProtoMessage.Envelope status = ProtoMessage.openEnvelope(apiResponse.bytes());
        assertThat(status.kind()).isEqualTo("Status");
        assertThat(status.object().text(2)).isEqualTo("Failure");
        assertThat(status.object().text(3)).isEqualTo("pods \"nobody\" not found");
        assertThat(status.object().text(4)).isEqualTo("NotFound");
        assertThat(status.object().message(5).text(1)).isEqualTo("nobody");
        assertThat(status.object().number(6)).isEqualTo(404);
    }

    @Test
    void aBindingInProtobufBinds() {
        ApiResponse pod =
                api.post(testNamespace.path("pods"), Manifests.pod("web")).expect(201);

        ApiResponse bound = post(
                testNamespace.path("pods/web/binding"),
                binding("web", pod.uid(), "n1").inEnvelope("v1", "Binding"));

        bound.expect(201);
        assertThat(ProtoMessage.openEnvelope(bound.bytes()).object().text(2)).isEqualTo("Success");
        ApiResponse after = api.get(testNamespace.path("pods/web")).expect(200);
        assertThat(after.at("/spec/nodeName")).isEqualTo("n1");
        assertThat(after.at("/metadata/annotations/berth.dev~1hold")).isEqualTo("h-1");
    }

    @Test
    void aBindingInProtobufChecksItsUid() {
        api.post(testNamespace.path("pods"), Manifests.pod("web")).expect(201);

        ApiResponse refused = post(
                testNamespace.path("pods/web/binding"),
                binding("web", "00000000-0000-0000-0000-000000000000", "n1").inEnvelope("v1", "Binding"));

        refused.expect(409);
        assertThat(ProtoMessage.openEnvelope(refused.bytes()).object().text(4)).isEqualTo("Conflict");
    }

    @Test
    void anEventInProtobufIsReadInEitherGroup() {
        // events.k8s.io/v1 Event: 1 metadata, 2 eventTime, 4 controller, 5 instance, 6 action, 7 reason,
        // 8 regarding, 10 note, 11 type.
        ProtoMessageBuilder event = new ProtoMessageBuilder()
                .message(1, new ProtoMessageBuilder().text(1, "web.1").text(3, testNamespace.namespace()))
                .message(2, new ProtoMessageBuilder().number(1, 1_800_000_000L).number(2, 123_456_000))
                .text(4, "berth-scheduler")
                .text(5, "berth-scheduler-0")
                .text(6, "Binding")
                .text(7, "Scheduled")
                .message(
                        8,
                        new ProtoMessageBuilder()
                                .text(1, "Pod")
                                .text(2, testNamespace.namespace())
                                .text(3, "web"))
                .text(10, "Successfully assigned web to n1")
                .text(11, "Normal");

        post(testNamespace.path("events.k8s.io/v1", "events"), event.inEnvelope("events.k8s.io/v1", "Event"))
                .expect(201);

        ApiResponse core = api.get(testNamespace.path("events/web.1")).expect(200);
        assertThat(core.at("/kind")).isEqualTo("Event");
        assertThat(core.at("/apiVersion")).isEqualTo("v1");
        assertThat(core.at("/message")).isEqualTo("Successfully assigned web to n1");
        assertThat(core.at("/involvedObject/name")).isEqualTo("web");
        assertThat(core.at("/reportingComponent")).isEqualTo("berth-scheduler");
        assertThat(core.at("/eventTime")).isEqualTo("2027-01-15T08:00:00.123456Z");
        ApiResponse own =
                api.get(testNamespace.path("events.k8s.io/v1", "events/web.1")).expect(200);
        assertThat(own.at("/note")).isEqualTo("Successfully assigned web to n1");
        assertThat(own.at("/regarding/name")).isEqualTo("web");
        assertThat(own.at("/reportingController")).isEqualTo("berth-scheduler");
    }

    @Test
    void aNamespaceInProtobufIsCreatedAsKubectlDoes() {
        String name = testNamespace.uniqueName("proto");
        testNamespace.deleteLater("/api/v1/namespaces/" + name);

        ApiResponse created = api.send(ApiRequest.of("POST", "/api/v1/namespaces")
                .withBody(
                        HttpApi.PROTOBUF,
                        new ProtoMessageBuilder()
                                .message(1, new ProtoMessageBuilder().text(1, name))
                                .inEnvelope("v1", "Namespace")));

        created.expect(201);
        assertThat(created.at("/metadata/name")).isEqualTo(name);
    }

    @Test
    void aClientThatPrefersProtobufTakesJsonWhereThereIsNoOther() {
        ApiResponse apiResponse = api.send(
                        ApiRequest.of("GET", "/version").accepting(HttpApi.PROTOBUF + ", application/json"))
                .expect(200);

        assertThat(apiResponse.at("/major")).isEqualTo("1");
    }

    @Test
    void aMalformedProtobufBodyIsRejected() {
        api.send(ApiRequest.of("POST", testNamespace.path("pods")).withBody(HttpApi.PROTOBUF, "k8s\0nonsense"))
                .expect(400);
        api.send(ApiRequest.of("POST", testNamespace.path("pods")).withBody(HttpApi.PROTOBUF, "{}"))
                .expect(400);
    }

    @Test
    void anUnsupportedMediaTypeIsNotAcceptable() {
        api.send(ApiRequest.of("GET", testNamespace.path("pods")).accepting("text/html"))
                .expect(406);
        api.send(ApiRequest.of("POST", testNamespace.path("pods")).withBody("text/html", "<pod/>"))
                .expect(415);
    }

    private static ProtoMessageBuilder binding(String pod, String uid, String node) {
        ProtoMessageBuilder annotation =
                new ProtoMessageBuilder().text(1, "berth.dev/hold").text(2, "h-1");
        return new ProtoMessageBuilder()
                .message(1, new ProtoMessageBuilder().text(1, pod).text(5, uid).message(12, annotation))
                .message(2, new ProtoMessageBuilder().text(1, "Node").text(3, node));
    }

    private static ProtoMessage.Envelope objectOf(ProtoMessage event) {
        return ProtoMessage.openEnvelope(event.message(2).bytes(1));
    }

    private ApiResponse send(String method, String path) {
        return api.send(ApiRequest.of(method, path).accepting(HttpApi.PROTOBUF));
    }

    private ApiResponse post(String path, byte[] body) {
        return api.send(ApiRequest.of("POST", path).accepting(HttpApi.PROTOBUF).withBody(HttpApi.PROTOBUF, body));
    }
}
