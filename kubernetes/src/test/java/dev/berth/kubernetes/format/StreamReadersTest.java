package dev.berth.kubernetes.format;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.testing.RandomHistories;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.ListSink;
import dev.berth.kubernetes.cursor.MalformedObjectException;
import dev.berth.kubernetes.cursor.ObjectReference;
import dev.berth.kubernetes.cursor.StreamReader;
import dev.berth.kubernetes.cursor.WatchSink;
import dev.berth.kubernetes.projection.ObservedPod;
import dev.berth.kubernetes.projection.PodProjection;
import dev.berth.kubernetes.projection.ReadResult;
import dev.berth.kubernetes.projection.WireObjects;
import dev.berth.sandbox.protobuf.ProtobufCodec;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class StreamReadersTest {

    private final PodProjection projection = new PodProjection(key -> false);
    private final List<String> seen = new ArrayList<>();
    private final StreamReaders readers = new StreamReaders();
    private final ListSink list = new ListSink() {
        @Override
        public void onItem(Cursor in) {
            note("item", in);
        }

        @Override
        public void onUnreadableItem(ObjectReference objectReference, String problem) {
            seen.add("unreadable item " + objectReference.name());
        }

        @Override
        public void onListMeta(String resourceVersion, String continueToken) {
            seen.add("list at %s, more at '%s'".formatted(resourceVersion, continueToken));
        }
    };

    private final WatchSink watch = new WatchSink() {
        @Override
        public void onEvent(String type, Cursor object) {
            note(type, object);
        }

        @Override
        public void onUnreadableEvent(String type, ObjectReference objectReference, String problem) {
            seen.add("unreadable %s: %s".formatted(type, problem));
        }
    };

    @RandomHistories(count = 2, first = 42)
    void aListIsReadHoweverItIsSplitIntoChunks(long seed) {
        List<ObjectNode> pods = pods(40);
        ObjectNode metadata = JsonNodeFactory.instance
                .objectNode()
                .put("resourceVersion", "99")
                .put("continue", "next\"page");
        byte[] protobuf = WireObjects.protobufList(metadata, pods);
        byte[] json = jsonList(metadata, pods);
        List<String> expected = new ArrayList<>(List.of("list at 99, more at 'next\"page'"));
        pods.forEach(pod -> expected.add("item " + pod.at("/metadata/name").asText()));
        Random random = new Random(seed);
        for (int round = 0; round < 100; round++) {
            for (WireFormat format : WireFormat.values()) {
                seen.clear();
                StreamReader reader = readers.listReader(format, list);
                feedInRandomChunks(format == WireFormat.JSON ? json : protobuf, random, reader);
                reader.end();
                assertThat(seen).as("round %d, %s", round, format).isEqualTo(expected);
            }
        }
    }

    @RandomHistories(count = 2, first = 42)
    void aWatchIsReadHoweverItIsSplitIntoChunks(long seed) {
        ByteArrayOutputStream protobuf = new ByteArrayOutputStream();
        ByteArrayOutputStream json = new ByteArrayOutputStream();
        List<String> expected = new ArrayList<>();
        for (ObjectNode pod : pods(40)) {
            String type = expected.size() % 2 == 0 ? "ADDED" : "DELETED";
            protobuf.writeBytes(ProtobufCodec.watchFrame(type, WireObjects.protobuf(pod)));
            ObjectNode event = JsonNodeFactory.instance.objectNode();
            // The order of the two does not matter.
            if (expected.size() % 3 == 0) {
                event.put("type", type);
            }
            event.set("object", pod);
            event.put("type", type);
            json.writeBytes(WireObjects.json(event));
            json.write('\n');
            expected.add(type + " " + pod.at("/metadata/name").asText());
        }
        Random random = new Random(seed);
        for (int round = 0; round < 100; round++) {
            for (WireFormat format : WireFormat.values()) {
                seen.clear();
                StreamReader reader = readers.watchReader(format, watch);
                feedInRandomChunks((format == WireFormat.JSON ? json : protobuf).toByteArray(), random, reader);
                reader.end();
                assertThat(seen).as("round %d, %s", round, format).isEqualTo(expected);
            }
        }
    }

    @Test
    void anEmptyListIsRead() {
        StreamReader json = readers.listReader(WireFormat.JSON, list);
        feed(json, "{\"kind\":\"PodList\",\"metadata\":{\"resourceVersion\":\"5\"},\"items\":[]}".getBytes(UTF_8));
        json.end();
        assertThat(seen).containsExactly("list at 5, more at ''");
    }

    @Test
    void aTruncatedListIsRejected() {
        List<ObjectNode> pods = pods(3);
        ObjectNode metadata = JsonNodeFactory.instance.objectNode().put("resourceVersion", "1");
        byte[] protobuf = WireObjects.protobufList(metadata, pods);
        byte[] json = jsonList(metadata, pods);
        for (int length : new int[] {0, 3, 5, 20, 100, 200}) {
            StreamReader left = readers.listReader(WireFormat.PROTOBUF, list);
            feed(left, Arrays.copyOf(protobuf, length));
            assertThatThrownBy(left::end)
                    .isInstanceOf(MalformedObjectException.class)
                    .hasMessageContaining("ended early");
        }
        for (int length : new int[] {1, 5, 20, 100, json.length - 1}) {
            StreamReader right = readers.listReader(WireFormat.JSON, list);
            feed(right, Arrays.copyOf(json, length));
            assertThatThrownBy(right::end)
                    .isInstanceOf(MalformedObjectException.class)
                    .hasMessageContaining("ended early");
        }
    }

    @RandomHistories(count = 2, first = 42)
    void randomBytesAreRejectedWithMalformedObjectOnly(long seed) {
        Random random = new Random(seed);
        byte[] good =
                WireObjects.protobufList(JsonNodeFactory.instance.objectNode().put("resourceVersion", "1"), pods(5));
        int rejected = 0;
        for (int round = 0; round < 10_000; round++) {
            byte[] bad = good.clone();
            for (int i = random.nextInt(1, 6); i > 0; i--) {
                bad[random.nextInt(bad.length)] = (byte) random.nextInt();
            }
            StreamReader reader = readers.listReader(WireFormat.PROTOBUF, list);
            try {
                feed(reader, bad);
                reader.end();
            } catch (MalformedObjectException refused) {
                rejected++;
                assertThat(refused)
                        .hasMessageMatching("(?s)(malformed|the list ended early|the object is larger than).*");
            }
        }
        assertThat(rejected).isGreaterThan(500);
    }

    @Test
    void bytesThatAreNeitherProtobufNorAWatchAreRejected() {
        assertThatThrownBy(
                        () -> feed(readers.listReader(WireFormat.PROTOBUF, list), "{\"kind\":\"x\"}".getBytes(UTF_8)))
                .hasMessageContaining("does not begin with k8s");
        assertThatThrownBy(() -> feed(readers.watchReader(WireFormat.PROTOBUF, watch), "{\"type\"".getBytes(UTF_8)))
                .hasMessageContaining("malformed watch: the frame has");
        feed(readers.watchReader(WireFormat.JSON, watch), "{\"type\":\"ADDED\"}".getBytes(UTF_8));
        assertThat(seen).containsExactly("unreadable ADDED: malformed watch: event (ADDED) has no object");
        assertThatThrownBy(() -> feed(readers.listReader(WireFormat.JSON, list), "}".getBytes(UTF_8)))
                .isInstanceOf(MalformedObjectException.class);
    }

    private void note(String what, Cursor in) {
        ReadResult<ObservedPod> pod = projection.read(in);
        seen.add(what + " " + pod.view().map(view -> view.pod().name()).orElse(pod.problem()));
    }

    private static List<ObjectNode> pods(int count) {
        List<ObjectNode> pods = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ObjectNode pod = JsonNodeFactory.instance
                    .objectNode()
                    .put("apiVersion", "v1")
                    .put("kind", "Pod");
            ObjectNode metadata =
                    pod.putObject("metadata").put("name", "p-" + i).put("uid", "u-" + i);
            metadata.putObject("labels").put("tricky", "}{\\\"][,:\" \u00e4").put("long", "x".repeat(i * 37));
            pod.putObject("spec").putArray("containers").addObject().put("name", "c");
            pods.add(pod);
        }
        return pods;
    }

    private static byte[] jsonList(ObjectNode metadata, List<ObjectNode> items) {
        ObjectNode list =
                JsonNodeFactory.instance.objectNode().put("kind", "PodList").put("apiVersion", "v1");
        list.set("metadata", metadata);
        items.forEach(item -> list.withArrayProperty("items").add(item));
        return WireObjects.json(list);
    }

    private static void feedInRandomChunks(byte[] body, Random random, StreamReader reader) {
        int at = 0;
        int longest = 1 << random.nextInt(1, 16);
        while (at < body.length) {
            int length = Math.min(body.length - at, random.nextInt(1, longest + 1));
            reader.read(ByteBuffer.wrap(body, at, length));
            at += length;
        }
    }

    private static void feed(StreamReader reader, byte[] bytes) {
        reader.read(ByteBuffer.wrap(bytes));
    }
}
