package dev.berth.bench.cluster;

import dev.berth.kubernetes.api.ApiClient;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.cursor.ObjectReference;
import dev.berth.kubernetes.cursor.StreamReader;
import dev.berth.kubernetes.cursor.WatchSink;
import dev.berth.kubernetes.format.StreamReaders;
import dev.berth.kubernetes.format.WireFormat;
import dev.berth.kubernetes.http2.RequestFailedException;
import dev.berth.kubernetes.http2.ResponseHead;
import dev.berth.kubernetes.http2.ResponseListener;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A watcher of pods or Reservations: records when each was first observed, and when it was first observed on a node.
 * Safe from any thread.
 */
final class BindWatcher {
    private static final FieldNames OBJECT =
            FieldNames.none().with(1, "metadata").with(2, "spec").with(3, "status");
    private static final FieldNames METADATA =
            FieldNames.none().with(1, "name").with(5, "uid").with(6, "resourceVersion");
    private static final FieldNames PLACE = FieldNames.none().with(10, "nodeName");

    /** The watched objects, and the part of them that has the node. */
    enum Watched {
        PODS("/api/v1/pods", WireFormat.PROTOBUF, 2),
        RESERVATIONS(ApiObjectJson.RESERVATIONS, WireFormat.JSON, 3);

        private final String path;
        private final WireFormat wireFormat;
        private final int placeField;

        Watched(String path, WireFormat wireFormat, int placeField) {
            this.path = path;
            this.wireFormat = wireFormat;
            this.placeField = placeField;
        }
    }

    /** The times of a pod by {@link System#nanoTime}; zero if it has not happened. */
    record PodTimes(String name, String uid, String node, long seenAt, long boundAt) {}

    private final Watched watched;
    private final Object lock = new Object();
    // Guarded by the lock.
    private final Map<String, PodTimes> pods = new HashMap<>();
    private int bound;
    private String failure = "";
    private String version = "0";

    BindWatcher(Watched watched) {
        this.watched = watched;
    }

    /** A busy server ends the watch of a slow client: the watch is resumed where it ended. */
    void start(ApiClient client) {
        StreamReader reader = new StreamReaders().watchReader(watched.wireFormat, new WatchSink() {
            @Override
            public void onEvent(String type, Cursor object) {
                BindWatcher.this.event(type, object);
            }

            @Override
            public void onUnreadableEvent(String type, ObjectReference objectReference, String problem) {
                throw new IllegalStateException("pod (%s) cannot be read: %s".formatted(objectReference, problem));
            }
        });
        String from;
        synchronized (lock) {
            from = version;
        }
        client.stream(
                watched.path + "?watch=true&resourceVersion=" + from,
                watched.wireFormat.watchMediaType(),
                Duration.ofSeconds(60),
                new WatchListener(client, reader));
    }

    /** The number of bound pods. */
    int boundPods() {
        synchronized (lock) {
            if (!failure.isEmpty()) {
                throw new IllegalStateException("the watch broke: " + failure);
            }
            return bound;
        }
    }

    int observedPods() {
        synchronized (lock) {
            return pods.size();
        }
    }

    /** All pods whose names have this prefix, sorted by name. */
    List<PodTimes> pods(String prefix) {
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
            throw new IllegalStateException("the watch shows (%s), which this benchmark did not cause".formatted(type));
        }
        String[] found = {"", "", "", ""};
        for (int field = in.nextField(OBJECT); field != 0; field = in.nextField(OBJECT)) {
            if (field == 1) {
                read(in, METADATA, found);
            } else if (field == watched.placeField) {
                read(in, PLACE, found);
            } else {
                in.skip();
            }
        }
        recordPod(found[0], found[1], found[2], now);
        synchronized (lock) {
            version = found[3];
        }
    }

    private void recordPod(String name, String uid, String node, long now) {
        synchronized (lock) {
            PodTimes before = pods.getOrDefault(name, new PodTimes(name, uid, "", now, 0));
            boolean newlyBound = before.node.isEmpty() && !node.isEmpty();
            if (!before.node.isEmpty() && !before.node.equals(node)) {
                failure = "pod (%s) was on (%s) and is on (%s)".formatted(name, before.node, node);
            }
            pods.put(name, newlyBound ? new PodTimes(name, uid, node, before.seenAt, now) : before);
            bound += newlyBound ? 1 : 0;
        }
    }

    private static void read(Cursor in, FieldNames names, String[] found) {
        in.enter();
        for (int field = in.nextField(names); field != 0; field = in.nextField(names)) {
            if (names == METADATA && field == 1) {
                found[0] = in.uninternedText();
            } else if (names == METADATA && field == 5) {
                found[1] = in.uninternedText();
            } else if (names == METADATA && field == 6) {
                found[3] = in.uninternedText();
            } else if (names == PLACE && field == 10) {
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

    private final class WatchListener implements ResponseListener {
        private final ApiClient client;
        private final StreamReader reader;

        private WatchListener(ApiClient client, StreamReader reader) {
            this.client = client;
            this.reader = reader;
        }

        @Override
        public void onHead(ResponseHead head) {
            if (!head.isSuccessful()) {
                fail("the server answered " + head);
            }
        }

        @Override
        public void onData(ByteBuffer bytes) {
            reader.read(bytes);
        }

        @Override
        public void onEnd() {
            start(client);
        }

        @Override
        public void onFailure(RequestFailedException why) {
            fail(String.valueOf(why.getMessage()));
        }
    }
}
