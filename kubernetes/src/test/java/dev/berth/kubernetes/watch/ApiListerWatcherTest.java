package dev.berth.kubernetes.watch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.cluster.Node;
import dev.berth.kubeclient.kubeconfig.ClientConfig;
import dev.berth.kubeclient.kubeconfig.Credentials;
import dev.berth.kubernetes.api.ApiClient;
import dev.berth.kubernetes.cursor.ObjectReference;
import dev.berth.kubernetes.format.StreamReaders;
import dev.berth.kubernetes.http2.ConnectionSettings;
import dev.berth.kubernetes.http2.ScriptedServer;
import dev.berth.kubernetes.http2.ScriptedServer.IncomingRequest;
import dev.berth.kubernetes.projection.NodeProjection;
import dev.berth.kubernetes.projection.ReadResult;
import dev.berth.kubernetes.projection.WireObjects;
import dev.berth.sandbox.protobuf.ProtobufCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ApiListerWatcherTest {
    private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";

    private final List<IncomingRequest> requests = new CopyOnWriteArrayList<>();
    private volatile ScriptedServer.Script script = in -> {};
    private final ScriptedServer server = ScriptedServer.serving(in -> {
        requests.add(in);
        script.serve(in);
    });
    private final ApiClient client = new ApiClient(
            new ClientConfig(server.endpoint(), "", Credentials.NONE, "default"), ConnectionSettings.DEFAULT, "test");
    private final ApiListerWatcher<Node> source = new ApiListerWatcher<>(
            client, ApiResource.NODES, new NodeProjection(key -> false), new StreamReaders(), 2, new Random(1));
    private final RecordingHandlers recordingHandlers = new RecordingHandlers();

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    @Test
    void aListIsRequestedInPagesAndReadInProtobuf() throws Exception {
        script = in -> {
            in.head(200, PROTOBUF);
            in.data(WireObjects.protobufList(
                    JsonNodeFactory.instance
                            .objectNode()
                            .put("resourceVersion", "9")
                            .put("continue", "a/b+c=="),
                    List.of(node("n1"), node("n2"))));
            in.end();
        };
        source.list("", recordingHandlers.list);
        assertThat(recordingHandlers.next(3)).containsExactly("item n1", "item n2", "end 9 a/b+c==");
        assertThat(requests.get(0).path()).isEqualTo("/api/v1/nodes?limit=2");
        assertThat(requests.get(0).header("accept")).contains(PROTOBUF + ",application/json");
        source.list("a/b+c==", recordingHandlers.list);
        recordingHandlers.next(3);
        assertThat(requests.get(1).path()).isEqualTo("/api/v1/nodes?limit=2&continue=a%2Fb%2Bc%3D%3D");
    }

    @Test
    void aJsonResponseIsRead() throws Exception {
        script = in -> in.reply(
                200,
                "{\"metadata\":{\"resourceVersion\":\"3\"},\"items\":[{\"metadata\":{\"name\":\"n1\",\"uid\":\"u\"}}]}");
        source.list("", recordingHandlers.list);
        assertThat(recordingHandlers.next(2)).containsExactly("item n1", "end 3 ");
    }

    @Test
    void aServerThatRejectsProtobufGetsAJsonRequestNextTime() throws Exception {
        script = in -> in.reply(406, "only JSON here");
        source.list("", recordingHandlers.list);
        assertThat(recordingHandlers.next(1).get(0))
                .startsWith("failed RETRYABLE cannot list nodes: 406: only JSON here");
        source.list("", recordingHandlers.list);
        recordingHandlers.next(1);
        assertThat(requests.get(1).header("accept")).contains("application/json");
        source.watch("1", recordingHandlers.watch);
        recordingHandlers.next(1);
        assertThat(requests.get(2).header("accept")).contains("application/json");
    }

    @Test
    void aWatchDeliversEventsAndBookmarks() throws Exception {
        script = in -> {
            in.head(200, PROTOBUF + ";stream=watch");
            in.data(frame("ADDED", node("n1")));
            in.data(frame("MODIFIED", node("n1")));
            in.data(frame("DELETED", node("n1")));
            in.data(frame("BOOKMARK", node("")));
            in.end();
        };
        source.watch("55", recordingHandlers.watch);
        assertThat(recordingHandlers.next(5))
                .containsExactly("changed n1", "changed n1", "deleted n1", "bookmark 7", "end");
        assertThat(requests.get(0).path())
                .matches(
                        "/api/v1/nodes\\?watch=true&allowWatchBookmarks=true&resourceVersion=55&timeoutSeconds=[345]\\d\\d");
    }

    @Test
    void anExpiredVersionIsRecognizedInAStatusAndInAnErrorEvent() throws Exception {
        script = in -> in.reply(410, "{\"code\":410,\"reason\":\"Expired\",\"message\":\"too old\"}");
        source.watch("1", recordingHandlers.watch);
        assertThat(recordingHandlers.next(1).get(0))
                .startsWith("failed EXPIRED cannot watch nodes: 410 Expired: too old");
        script = in -> in.reply(
                200, "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"code\":410,\"message\":\"too old\"}}");
        source.watch("1", recordingHandlers.watch);
        assertThat(recordingHandlers.next(1).get(0)).startsWith("failed EXPIRED");
        script = in ->
                in.reply(504, "{\"code\":504,\"message\":\"Timeout: Too large resource version: 9, current: 3\"}");
        source.watch("9", recordingHandlers.watch);
        assertThat(recordingHandlers.next(1).get(0)).startsWith("failed EXPIRED");
    }

    @Test
    void aForbiddenListFailsWithTheServersMessage() throws Exception {
        script = in -> in.reply(
                403,
                "{\"code\":403,\"reason\":\"Forbidden\",\"message\":\"User \\\"x\\\" cannot list resource \\\"nodes\\\"\"}");
        source.list("", recordingHandlers.list);
        assertThat(recordingHandlers.next(1).get(0))
                .contains("cannot list nodes: 403 Forbidden: User \"x\" cannot list resource");
    }

    @Test
    void aTruncatedListFails() throws Exception {
        script = in -> {
            in.head(200, "application/json");
            in.data("{\"items\":[".getBytes(java.nio.charset.StandardCharsets.UTF_8));
            in.end();
        };
        source.list("", recordingHandlers.list);
        assertThat(recordingHandlers.next(1).get(0))
                .contains("failed RETRYABLE")
                .contains("the list ended early");
        script = in -> {
            in.head(200, "application/json");
            in.dropConnection();
        };
        source.list("", recordingHandlers.list);
        assertThat(recordingHandlers.next(1).get(0)).startsWith("failed SERVER_UNAVAILABLE");
    }

    @Test
    void anUnknownEventTypeEndsTheWatch() throws Exception {
        script = in -> in.reply(200, "{\"type\":\"EXPLODED\",\"object\":{}}");
        source.watch("1", recordingHandlers.watch);
        assertThat(recordingHandlers.next(1).get(0)).contains("unknown event type (EXPLODED)");
    }

    @Test
    void anObjectNestedTooDeepIsSkippedAndItsDeletionIsDelivered() throws Exception {
        String deep = "{\"metadata\":{\"managedFields\":%s,\"name\":\"n1\",\"uid\":\"u-n1\",\"resourceVersion\":\"5\"}}"
                .formatted("[".repeat(1_200) + "]".repeat(1_200));
        script = in -> in.reply(
                200,
                "{\"type\":\"MODIFIED\",\"object\":%s}%n{\"type\":\"DELETED\",\"object\":%1$s}%n".formatted(deep)
                        + "{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"name\":\"n2\",\"uid\":\"u\"}}}");
        source.watch("1", recordingHandlers.watch);
        List<String> lines = recordingHandlers.next(4);
        assertThat(lines.get(0)).startsWith("changed ").contains("nesting depth");
        assertThat(lines.get(1)).startsWith("deleted ").contains("nesting depth");
        assertThat(lines.subList(2, 4)).containsExactly("changed n2", "end");
        assertThat(recordingHandlers.objectReferences)
                .contains(new ObjectReference("v1", "Node", "", "n1", "u-n1", "5"));
    }

    @Test
    void aListItemNestedTooDeepIsSkippedAndTheOthersAreDelivered() throws Exception {
        script = in -> in.reply(
                200,
                "{\"metadata\":{\"resourceVersion\":\"3\"},\"items\":[{\"metadata\":{\"x\":%s,\"name\":\"n1\",\"uid\":\"u1\"}},"
                                .formatted("[".repeat(1_200) + "]".repeat(1_200))
                        + "{\"metadata\":{\"name\":\"n2\",\"uid\":\"u2\"}}]}");
        source.list("", recordingHandlers.list);
        List<String> lines = recordingHandlers.next(3);
        assertThat(lines.get(0)).contains("nesting depth");
        assertThat(lines.subList(1, 3)).containsExactly("item n2", "end 3 ");
    }

    private static ObjectNode node(String name) {
        return WireObjects.yaml(
                "{apiVersion: v1, kind: Node, metadata: {name: '%s', uid: 'u-%1$s', resourceVersion: '7'}}"
                        .formatted(name));
    }

    private static byte[] frame(String type, ObjectNode object) {
        return ProtobufCodec.watchFrame(type, WireObjects.protobuf(object));
    }

    private static final class RecordingHandlers {
        private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

        private List<String> next(int count) throws InterruptedException {
            List<String> next = new ArrayList<>();
            while (next.size() < count) {
                String line = lines.poll(20, TimeUnit.SECONDS);
                assertThat(line).as("after %s", next).isNotNull();
                next.add(line);
            }
            return next;
        }

        private final List<ObjectReference> objectReferences = new CopyOnWriteArrayList<>();

        private String name(ReadResult<Node> readResult) {
            objectReferences.add(readResult.objectReference());
            return readResult.view().map(Node::name).orElse(readResult.problem());
        }

        private final ListerWatcher.ListCallback<Node> list = new ListerWatcher.ListCallback<>() {
            @Override
            public void onItem(ReadResult<Node> item) {
                lines.add("item " + name(item));
            }

            @Override
            public void onPageEnd(String version, String continueToken) {
                lines.add("end %s %s".formatted(version, continueToken));
            }

            @Override
            public void onFailure(ListWatchFailure failure) {
                lines.add("failed %s %s".formatted(failure.cause(), failure.message()));
            }
        };

        private final ListerWatcher.WatchCallback<Node> watch = new ListerWatcher.WatchCallback<>() {
            @Override
            public void onChanged(ReadResult<Node> object) {
                lines.add("changed " + name(object));
            }

            @Override
            public void onDeleted(ReadResult<Node> object) {
                lines.add("deleted " + name(object));
            }

            @Override
            public void onBookmark(String version) {
                lines.add("bookmark " + version);
            }

            @Override
            public void onEnd() {
                lines.add("end");
            }

            @Override
            public void onFailure(ListWatchFailure failure) {
                lines.add("failed %s %s".formatted(failure.cause(), failure.message()));
            }
        };
    }
}
