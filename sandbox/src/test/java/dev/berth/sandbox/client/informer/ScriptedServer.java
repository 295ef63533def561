package dev.berth.sandbox.client.informer;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.client.transport.ClientRequest;
import dev.berth.sandbox.client.transport.ClientResponse;
import dev.berth.sandbox.client.transport.Transport;
import dev.berth.sandbox.client.transport.UnreachableException;
import dev.berth.sandbox.client.transport.WatchEvent;
import dev.berth.sandbox.client.transport.WatchStream;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/** A server of one resource that keeps objects and history, and can be made to forget, to fall silent and to break. */
final class ScriptedServer implements Transport {
    private final Map<String, ObjectNode> objects = new TreeMap<>();
    private final List<WatchEvent> history = new ArrayList<>();
    private final List<String> calls = new ArrayList<>();
    private final List<Stream> streams = new ArrayList<>();
    private long version = 10;
    private long forgottenUpTo;
    private boolean unreachable;
    private boolean endsWatchesAtOnce;

    ObjectNode put(String name, String uid) {
        version++;
        boolean known = objects.containsKey(name);
        ObjectNode object = object(name, uid, version);
        objects.put(name, object);
        sendEvent(new WatchEvent(known ? WatchEvent.Type.MODIFIED : WatchEvent.Type.ADDED, object));
        return object;
    }

    void remove(String name) {
        version++;
        ObjectNode last = Objects.requireNonNull(objects.remove(name), name).deepCopy();
        NestedFields.getOrCreateObject(last, "metadata").put("resourceVersion", Long.toString(version));
        sendEvent(new WatchEvent(WatchEvent.Type.DELETED, last));
    }

    static ObjectNode object(String name, String uid, long version) {
        ObjectNode object = NestedFields.newObject().put("apiVersion", "v1").put("kind", "Pod");
        object.putObject("metadata")
                .put("name", name)
                .put("namespace", "default")
                .put("uid", uid)
                .put("resourceVersion", Long.toString(version));
        return object;
    }

    private void sendEvent(WatchEvent event) {
        history.add(event);
        streams.forEach(stream -> stream.waiting.add(event));
    }

    void bookmark() {
        version++;
        ObjectNode mark = NestedFields.newObject();
        mark.putObject("metadata").put("resourceVersion", Long.toString(version));
        streams.forEach(stream -> stream.waiting.add(new WatchEvent(WatchEvent.Type.BOOKMARK, mark)));
    }

    void endWatches() {
        streams.forEach(stream -> stream.over = true);
        streams.clear();
    }

    void breakWatches() {
        streams.forEach(stream -> stream.broken = true);
        streams.clear();
    }

    void endsWatchesAtOnce() {
        endsWatchesAtOnce = true;
    }

    /** From now on nothing up to the present can be resumed. */
    void compact() {
        forgottenUpTo = version;
        version++;
    }

    void unreachable(boolean now) {
        unreachable = now;
    }

    List<String> calls() {
        return List.copyOf(calls);
    }

    @Override
    public ClientResponse send(ClientRequest clientRequest) {
        calls.add(clientRequest.target());
        if (unreachable) {
            throw new UnreachableException("the line is dead", new IOException("dead"));
        }
        int limit = Integer.parseInt(clientRequest.query().getOrDefault("limit", "1000"));
        int from = Integer.parseInt(clientRequest.query().getOrDefault("continue", "0"));
        List<ObjectNode> all = new ArrayList<>(objects.values());
        ObjectNode list = NestedFields.newObject().put("kind", "PodList");
        ObjectNode metadata = list.putObject("metadata").put("resourceVersion", Long.toString(version));
        ArrayNode items = list.putArray("items");
        all.subList(from, Math.min(all.size(), from + limit)).forEach(items::add);
        if (from + limit < all.size()) {
            metadata.put("continue", Integer.toString(from + limit));
        }
        return new ClientResponse(200, list);
    }

    @Override
    public WatchStream watch(ClientRequest clientRequest, Runnable arrived) {
        calls.add("watch from " + clientRequest.query().get("resourceVersion"));
        Stream stream = new Stream();
        long from = Long.parseLong(String.valueOf(clientRequest.query().get("resourceVersion")));
        if (from < forgottenUpTo) {
            ObjectNode status = NestedFields.newObject()
                    .put("kind", "Status")
                    .put("code", 410)
                    .put("reason", "Expired");
            stream.waiting.add(new WatchEvent(WatchEvent.Type.ERROR, status));
            return stream;
        }
        history.stream()
                .filter(event -> Long.parseLong(ObjectMetaReader.resourceVersion(event.object())) > from)
                .forEach(stream.waiting::add);
        if (endsWatchesAtOnce) {
            stream.over = true;
        } else {
            streams.add(stream);
        }
        return stream;
    }

    @Override
    public void close() {
        streams.clear();
    }

    private static final class Stream implements WatchStream {
        private final Deque<WatchEvent> waiting = new ArrayDeque<>();
        private boolean over;
        private boolean broken;

        @Override
        public Optional<WatchEvent> poll() {
            if (broken && waiting.isEmpty()) {
                throw new UnreachableException("the watch broke", new IOException("reset"));
            }
            return Optional.ofNullable(waiting.poll());
        }

        @Override
        public boolean ended() {
            return over && waiting.isEmpty();
        }

        @Override
        public void close() {
            over = true;
        }
    }
}
