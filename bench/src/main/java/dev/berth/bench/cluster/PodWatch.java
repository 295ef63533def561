package dev.berth.bench.cluster;

import dev.berth.kubernetes.api.ApiClient;
import dev.berth.kubernetes.cursor.BodyReader;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.cursor.Identity;
import dev.berth.kubernetes.cursor.WatchSink;
import dev.berth.kubernetes.format.Format;
import dev.berth.kubernetes.format.Readers;
import dev.berth.kubernetes.http2.Head;
import dev.berth.kubernetes.http2.RequestFailed;
import dev.berth.kubernetes.http2.ResponseListener;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The one watcher: notes when each pod was first seen, and when it was first seen on a node. Safe from any thread. */
final class PodWatch {
    private static final FieldNames POD = FieldNames.none().with(1, "metadata").with(2, "spec");
    private static final FieldNames METADATA =
            FieldNames.none().with(1, "name").with(5, "uid").with(6, "resourceVersion");
    private static final FieldNames SPEC = FieldNames.none().with(10, "nodeName");

    /** What is known of a pod; times are those of {@link System#nanoTime}, zero where it has not happened. */
    record Sighting(String name, String uid, String node, long seenAt, long boundAt) {}

    private final Object lock = new Object();
    // Guarded by the lock.
    private final Map<String, Sighting> pods = new HashMap<>();
    private int bound;
    private String failure = "";
    private String version = "0";

    /** A busy server ends the watch of a client that does not keep up: it is taken up where it ended. */
    void start(ApiClient client) {
        BodyReader reader = new Readers().watch(Format.PROTOBUF, new WatchSink() {
            @Override
            public void event(String type, Cursor object) {
                PodWatch.this.event(type, object);
            }

            @Override
            public void unreadable(String type, Identity identity, String problem) {
                throw new IllegalStateException("pod (%s) cannot be read: %s".formatted(identity, problem));
            }
        });
        String from;
        synchronized (lock) {
            from = version;
        }
        client.stream(
                "/api/v1/pods?watch=true&resourceVersion=" + from,
                Format.PROTOBUF.watchMediaType(),
                Duration.ofSeconds(60),
                new Ear(client, reader));
    }

    /** How many are on a node. */
    int bound() {
        synchronized (lock) {
            if (!failure.isEmpty()) {
                throw new IllegalStateException("the watch broke: " + failure);
            }
            return bound;
        }
    }

    int seen() {
        synchronized (lock) {
            return pods.size();
        }
    }

    /** All whose names begin so, in the order of their names. */
    List<Sighting> sightings(String prefix) {
        synchronized (lock) {
            return new ArrayList<>(new TreeMap<>(pods)
                    .values().stream()
                            .filter(pod -> pod.name.startsWith(prefix))
                            .toList());
        }
    }

    private void event(String type, Cursor in) {
        long now = System.nanoTime();
        if (!type.equals("ADDED") && !type.equals("MODIFIED")) {
            throw new IllegalStateException("the watch told of (%s), which nobody caused".formatted(type));
        }
        String[] found = {"", "", "", ""};
        for (int field = in.next(POD); field != 0; field = in.next(POD)) {
            switch (field) {
                case 1 -> read(in, METADATA, found);
                case 2 -> read(in, SPEC, found);
                default -> in.skip();
            }
        }
        note(found[0], found[1], found[2], now);
        synchronized (lock) {
            version = found[3];
        }
    }

    private void note(String name, String uid, String node, long now) {
        synchronized (lock) {
            Sighting before = pods.getOrDefault(name, new Sighting(name, uid, "", now, 0));
            boolean news = before.node.isEmpty() && !node.isEmpty();
            if (!before.node.isEmpty() && !before.node.equals(node)) {
                failure = "pod (%s) was on (%s) and is on (%s)".formatted(name, before.node, node);
            }
            pods.put(name, news ? new Sighting(name, uid, node, before.seenAt, now) : before);
            bound += news ? 1 : 0;
        }
    }

    private static void read(Cursor in, FieldNames names, String[] found) {
        in.enter();
        for (int field = in.next(names); field != 0; field = in.next(names)) {
            if (names == METADATA && field == 1) {
                found[0] = in.ownText();
            } else if (names == METADATA && field == 5) {
                found[1] = in.ownText();
            } else if (names == METADATA && field == 6) {
                found[3] = in.ownText();
            } else if (names == SPEC && field == 10) {
                found[2] = in.text();
            } else {
                in.skip();
            }
        }
        in.leave();
    }

    private void fail(String why) {
        synchronized (lock) {
            failure = why;
        }
    }

    private final class Ear implements ResponseListener {
        private final ApiClient client;
        private final BodyReader reader;

        private Ear(ApiClient client, BodyReader reader) {
            this.client = client;
            this.reader = reader;
        }

        @Override
        public void head(Head head) {
            if (!head.successful()) {
                fail("the server answered " + head);
            }
        }

        @Override
        public void data(ByteBuffer bytes) {
            reader.read(bytes);
        }

        @Override
        public void end() {
            start(client);
        }

        @Override
        public void failed(RequestFailed why) {
            fail(String.valueOf(why.getMessage()));
        }
    }
}
