package dev.berth.kubernetes.format;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.protobuf.ProtobufCodec;
import dev.berth.kubernetes.cursor.BodyReader;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.Identity;
import dev.berth.kubernetes.cursor.ListSink;
import dev.berth.kubernetes.cursor.MalformedObject;
import dev.berth.kubernetes.cursor.WatchSink;
import dev.berth.kubernetes.projection.ObservedPod;
import dev.berth.kubernetes.projection.PodProjection;
import dev.berth.kubernetes.projection.Seen;
import dev.berth.kubernetes.projection.Wire;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BodyReadersTest {
    private static final long SEED = 42;

    private final PodProjection projection = new PodProjection(key -> false);
    private final List<String> seen = new ArrayList<>();
    private final Readers readers = new Readers();
    private final ListSink list = new ListSink() {
        @Override
        public void item(Cursor in) {
            note("item", in);
        }

        @Override
        public void unreadable(Identity identity, String problem) {
            seen.add("unreadable item " + identity.name());
        }

        @Override
        public void list(String resourceVersion, String continueToken) {
            seen.add("list at %s, more at '%s'".formatted(resourceVersion, continueToken));
        }
    };

    private final WatchSink watch = new WatchSink() {
        @Override
        public void event(String type, Cursor object) {
            note(type, object);
        }

        @Override
        public void unreadable(String type, Identity identity, String problem) {
            seen.add("unreadable %s: %s".formatted(type, problem));
        }
    };

    @Test
    void aListIsReadHoweverItIsCut() {
        List<ObjectNode> pods = pods(40);
        ObjectNode metadata = JsonNodeFactory.instance
                .objectNode()
                .put("resourceVersion", "99")
                .put("continue", "next\"page");
        byte[] protobuf = Wire.protobufList(metadata, pods);
        byte[] json = jsonList(metadata, pods);
        List<String> expected = new ArrayList<>(List.of("list at 99, more at 'next\"page'"));
        pods.forEach(pod -> expected.add("item " + pod.at("/metadata/name").asText()));
        Random random = new Random(SEED);
        for (int round = 0; round < 200; round++) {
            for (Format format : Format.values()) {
                seen.clear();
                BodyReader reader = readers.list(format, list);
                cut(format == Format.JSON ? json : protobuf, random, reader);
                reader.end();
                assertThat(seen)
                        .as("seed %d, round %d, %s", SEED, round, format)
                        .isEqualTo(expected);
            }
        }
    }

    @Test
    void aWatchIsReadHoweverItIsCut() {
        ByteArrayOutputStream protobuf = new ByteArrayOutputStream();
        ByteArrayOutputStream json = new ByteArrayOutputStream();
        List<String> expected = new ArrayList<>();
        for (ObjectNode pod : pods(40)) {
            String type = expected.size() % 2 == 0 ? "ADDED" : "DELETED";
            protobuf.writeBytes(ProtobufCodec.watchFrame(type, Wire.protobuf(pod)));
            ObjectNode event = JsonNodeFactory.instance.objectNode();
            // The order of the two does not matter.
            if (expected.size() % 3 == 0) {
                event.put("type", type);
            }
            event.set("object", pod);
            event.put("type", type);
            json.writeBytes(Wire.json(event));
            json.write('\n');
            expected.add(type + " " + pod.at("/metadata/name").asText());
        }
        Random random = new Random(SEED);
        for (int round = 0; round < 200; round++) {
            for (Format format : Format.values()) {
                seen.clear();
                BodyReader reader = readers.watch(format, watch);
                cut((format == Format.JSON ? json : protobuf).toByteArray(), random, reader);
                reader.end();
                assertThat(seen)
                        .as("seed %d, round %d, %s", SEED, round, format)
                        .isEqualTo(expected);
            }
        }
    }

    @Test
    void anEmptyListIsAListToo() {
        BodyReader json = readers.list(Format.JSON, list);
        feed(json, "{\"kind\":\"PodList\",\"metadata\":{\"resourceVersion\":\"5\"},\"items\":[]}".getBytes(UTF_8));
        json.end();
        assertThat(seen).containsExactly("list at 5, more at ''");
    }

    @Test
    void aListThatBreaksOffIsNotTakenForAWholeOne() {
        List<ObjectNode> pods = pods(3);
        ObjectNode metadata = JsonNodeFactory.instance.objectNode().put("resourceVersion", "1");
        byte[] protobuf = Wire.protobufList(metadata, pods);
        byte[] json = jsonList(metadata, pods);
        for (int length : new int[] {0, 3, 5, 20, 100, 200}) {
            BodyReader left = readers.list(Format.PROTOBUF, list);
            feed(left, Arrays.copyOf(protobuf, length));
            assertThatThrownBy(left::end).isInstanceOf(MalformedObject.class).hasMessageContaining("broke off");
        }
        for (int length : new int[] {1, 5, 20, 100, json.length - 1}) {
            BodyReader right = readers.list(Format.JSON, list);
            feed(right, Arrays.copyOf(json, length));
            assertThatThrownBy(right::end).isInstanceOf(MalformedObject.class).hasMessageContaining("broke off");
        }
    }

    @Test
    void randomBytesAreRefusedInWordsAndNeverOtherwise() {
        Random random = new Random(SEED);
        byte[] good = Wire.protobufList(JsonNodeFactory.instance.objectNode().put("resourceVersion", "1"), pods(5));
        for (int round = 0; round < 20_000; round++) {
            byte[] bad = good.clone();
            for (int i = random.nextInt(1, 6); i > 0; i--) {
                bad[random.nextInt(bad.length)] = (byte) random.nextInt();
            }
            BodyReader reader = readers.list(Format.PROTOBUF, list);
            try {
                feed(reader, bad);
                reader.end();
            } catch (MalformedObject refused) {
                assertThat(refused).hasMessageMatching("(?s)(malformed|the list broke off|an object of).*");
            }
        }
    }

    @Test
    void whatIsNoProtobufOrNoWatchIsRefused() {
        assertThatThrownBy(() -> feed(readers.list(Format.PROTOBUF, list), "{\"kind\":\"x\"}".getBytes(UTF_8)))
                .hasMessageContaining("does not begin with k8s");
        assertThatThrownBy(() -> feed(readers.watch(Format.PROTOBUF, watch), "{\"type\"".getBytes(UTF_8)))
                .hasMessageContaining("malformed watch: a frame of");
        feed(readers.watch(Format.JSON, watch), "{\"type\":\"ADDED\"}".getBytes(UTF_8));
        assertThat(seen).containsExactly("unreadable ADDED: malformed watch: an event (ADDED) without an object");
        assertThatThrownBy(() -> feed(readers.list(Format.JSON, list), "}".getBytes(UTF_8)))
                .isInstanceOf(MalformedObject.class);
    }

    private void note(String what, Cursor in) {
        Seen<ObservedPod> pod = projection.read(in);
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
        return Wire.json(list);
    }

    private static void cut(byte[] body, Random random, BodyReader reader) {
        int at = 0;
        int longest = 1 << random.nextInt(1, 16);
        while (at < body.length) {
            int length = Math.min(body.length - at, random.nextInt(1, longest + 1));
            reader.read(ByteBuffer.wrap(body, at, length));
            at += length;
        }
    }

    private static void feed(BodyReader reader, byte[] bytes) {
        reader.read(ByteBuffer.wrap(bytes));
    }
}
