package dev.berth.kubernetes.watch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.cluster.Node;
import dev.berth.core.testing.RandomSeeds;
import dev.berth.kubeclient.kubeconfig.ClientConfig;
import dev.berth.kubeclient.kubeconfig.Credentials;
import dev.berth.kubernetes.api.ApiClient;
import dev.berth.kubernetes.format.StreamReaders;
import dev.berth.kubernetes.http2.ConnectionSettings;
import dev.berth.kubernetes.http2.ScriptedServer;
import dev.berth.kubernetes.projection.NodeProjection;
import dev.berth.kubernetes.projection.ReadResult;
import dev.berth.kubernetes.projection.WireObjects;
import dev.berth.sandbox.protobuf.ProtobufCodec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Random histories of nodes, read by the client that Berth reads with, in which one event is corrupted: bytes changed,
 * cut out or put in, nesting beyond the parser's limit, names, numbers and texts beyond it. All other objects must end as in
 * the history without the corruption, and the watch must go on to its end.
 */
@Timeout(300)
class CorruptedWatchEventsTest {
    private static final long SEED = 4711;
    private static final int HISTORIES = Integer.getInteger("berth.corrupted.histories", 400);

    private volatile ScriptedServer.Script script = in -> {};
    private final ScriptedServer server = ScriptedServer.serving(in -> script.serve(in));
    private final ApiClient client = new ApiClient(
            new ClientConfig(server.endpoint(), "", Credentials.NONE, "default"), ConnectionSettings.DEFAULT, "test");
    private final ApiListerWatcher<Node> source = new ApiListerWatcher<>(
            client, ApiResource.NODES, new NodeProjection(key -> false), new StreamReaders(), 2, new Random(1));

    private record Event(String type, ObjectNode object) {
        private String uid() {
            return object.at("/metadata/uid").asText();
        }
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    @Test
    void oneCorruptedEventDoesNotChangeAnyOtherObject() {
        RandomSeeds.forEach(SEED, HISTORIES, this::simulate);
    }

    private void simulate(long seed) throws Exception {
        Random random = new Random(seed);
        List<Event> history = randomEvents(random);
        boolean json = random.nextBoolean();
        List<byte[]> frames = new ArrayList<>();
        for (Event event : history) {
            frames.add(json ? jsonLine(event) : protobufFrame(event));
        }
        int bad = random.nextInt(history.size());
        String what = "seed %d, %s, event %d".formatted(seed, json ? "JSON" : "protobuf", bad);
        Map<String, Node> expected = replay(json, frames, what);
        byte[] corrupted = json ? corruptJson(frames.get(bad), random) : corruptProtobuf(frames.get(bad), random);
        frames.set(bad, corrupted);
        Map<String, Node> found = replay(json, frames, what + ": " + new String(corrupted, UTF_8));
        expected.remove(history.get(bad).uid());
        found.remove(history.get(bad).uid());
        // What the corruption made another object of by chance is none of this history.
        found.keySet()
                .removeIf(uid -> history.stream().noneMatch(event -> event.uid().equals(uid)));
        assertThat(found).as(what).isEqualTo(expected);
    }

    private Map<String, Node> replay(boolean json, List<byte[]> frames, String what) throws Exception {
        script = in -> {
            in.head(200, json ? "application/json" : "application/vnd.kubernetes.protobuf;stream=watch");
            for (byte[] frame : frames) {
                in.data(frame);
            }
            Event last = new Event("BOOKMARK", node("last", 1, 9_999));
            in.data(json ? jsonLine(last) : protobufFrame(last));
            in.end();
        };
        RecordingHandler recordingHandler = new RecordingHandler();
        source.watch("1", recordingHandler);
        try {
            return recordingHandler.atTheEnd.get(20, TimeUnit.SECONDS);
        } catch (Exception broken) {
            throw new AssertionError(what, broken);
        }
    }

    private static List<Event> randomEvents(Random random) {
        Map<String, ObjectNode> there = new TreeMap<>();
        List<Event> events = new ArrayList<>();
        int count = random.nextInt(3, 12);
        for (int version = 2; events.size() < count; version++) {
            String name = "n" + random.nextInt(4);
            ObjectNode before = there.get(name);
            if (before == null) {
                ObjectNode node = node(name + "-" + version, random.nextInt(1, 64), version);
                there.put(name, node);
                events.add(new Event("ADDED", node));
            } else if (random.nextInt(3) == 0) {
                there.remove(name);
                events.add(new Event("DELETED", node(before.at("/metadata/name").asText(), 1, version)));
            } else {
                ObjectNode node = node(before.at("/metadata/name").asText(), random.nextInt(1, 64), version);
                there.put(name, node);
                events.add(new Event("MODIFIED", node));
            }
        }
        return events;
    }

    private static ObjectNode node(String name, int cpu, int version) {
        return WireObjects.yaml("""
                {apiVersion: v1, kind: Node, metadata: {name: %s, uid: u-%1$s, resourceVersion: '%d', labels: {a: 'b{"'}},
                 spec: {taints: [{key: k, effect: NoSchedule}]}, status: {allocatable: {cpu: '%d', pods: '110'}}}
                """.formatted(name, version, cpu));
    }

    private static byte[] jsonLine(Event event) {
        ObjectNode line = JsonNodeFactory.instance.objectNode().put("type", event.type());
        line.set("object", event.object());
        byte[] bytes = WireObjects.json(line);
        byte[] whole = Arrays.copyOf(bytes, bytes.length + 1);
        whole[bytes.length] = '\n';
        return whole;
    }

    private static byte[] protobufFrame(Event event) {
        return ProtobufCodec.watchFrame(event.type(), WireObjects.protobuf(event.object()));
    }

    /** Anything but the end of the line and the event's type, which no object can touch. */
    private static byte[] corruptJson(byte[] line, Random random) {
        String text = new String(line, UTF_8);
        int from = text.indexOf("\"object\":") + "\"object\":{".length();
        int at = random.nextInt(from, line.length - 2);
        String more = switch (random.nextInt(7)) {
            case 0 -> "\"deep\":" + "{\"a\":".repeat(1_200) + "1" + "}".repeat(1_200) + ",";
            case 1 -> "\"deep\":" + "[".repeat(1_200) + "]".repeat(1_200) + ",";
            case 2 -> "\"%s\":1,".formatted("n".repeat(60_000));
            case 3 -> "\"number\":%s,".formatted("1".repeat(2_000));
            case 4 -> "{[\"}]\\".substring(random.nextInt(6));
            case 5 -> "\u0000";
            default -> "";
        };
        if (more.startsWith("\"")) {
            return (text.substring(0, from) + more + text.substring(from)).getBytes(UTF_8);
        }
        if (!more.isEmpty()) {
            return (text.substring(0, at) + more + text.substring(at)).getBytes(UTF_8);
        }
        int cut = Math.min(random.nextInt(1, 20), line.length - 2 - at);
        return (text.substring(0, at) + text.substring(at + cut)).getBytes(UTF_8);
    }

    /** Anything within the frame's object: the length before it is written by the server and not by an object. */
    private static byte[] corruptProtobuf(byte[] frame, Random random) {
        byte[] bad = frame.clone();
        int from = new String(frame, java.nio.charset.StandardCharsets.ISO_8859_1).indexOf("k8s");
        for (int i = random.nextInt(1, 6); i > 0; i--) {
            bad[random.nextInt(from, bad.length)] = (byte) random.nextInt();
        }
        return bad;
    }

    /** Keeps the objects as a reflector does, up to the bookmark. */
    private static final class RecordingHandler implements ListerWatcher.WatchCallback<Node> {
        private final Map<String, Node> present = new TreeMap<>();
        private final KnownObjects<Node> knownObjects = new KnownObjects<>(new WatchHealth("nodes"));
        private final CompletableFuture<Map<String, Node>> atTheEnd = new CompletableFuture<>();

        @Override
        public void onChanged(ReadResult<Node> object) {
            switch (knownObjects.apply(object)) {
                case UPSERTED -> present.put(object.uid(), object.view().orElseThrow());
                case DELETED -> present.remove(object.uid());
                case UNREADABLE, NONE -> {}
            }
        }

        @Override
        public void onDeleted(ReadResult<Node> object) {
            if (knownObjects.remove(object.uid())) {
                present.remove(object.uid());
            }
        }

        @Override
        public void onBookmark(String version) {
            if (version.equals("9999")) {
                atTheEnd.complete(present);
            }
        }

        @Override
        public void onEnd() {
            atTheEnd.completeExceptionally(new AssertionError("the watch ended before its bookmark"));
        }

        @Override
        public void onFailure(ListWatchFailure failure) {
            atTheEnd.completeExceptionally(new AssertionError(failure.message()));
        }
    }
}
