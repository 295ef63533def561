package dev.berth.kubernetes.door.reserve;

import dev.berth.core.cluster.Pod;
import dev.berth.kubernetes.cursor.MalformedObject;
import dev.berth.kubernetes.cursor.Strings;
import dev.berth.kubernetes.json.JsonCursor;
import dev.berth.kubernetes.projection.ObservedPod;
import dev.berth.kubernetes.projection.PodProjection;
import dev.berth.kubernetes.projection.Seen;

/** Reads pods as people and schedulers send them, in ordinary Kubernetes JSON. Safe for several threads at once. */
public final class JsonPods {
    private final Object lock = new Object();
    private final Strings strings = new Strings();
    private final PodProjection projection = new PodProjection(annotation -> false);

    /**
     * Reads one.
     *
     * @throws IllegalArgumentException when it makes no sense, in words
     */
    public Pod read(byte[] json) {
        return read(json, 0, json.length);
    }

    /**
     * Reads the one that is in these bytes.
     *
     * @param to where it has ended
     * @throws IllegalArgumentException when it makes no sense, in words
     */
    public Pod read(byte[] json, int from, int to) {
        Seen<ObservedPod> seen = seen(json, from, to);
        if (seen.uid().isBlank()) {
            throw new IllegalArgumentException("metadata.uid is empty, and a pod is known by nothing else");
        }
        return seen.view().map(ObservedPod::pod).orElseThrow(() -> new IllegalArgumentException(seen.problem()));
    }

    private Seen<ObservedPod> seen(byte[] json, int from, int to) {
        synchronized (lock) {
            try (JsonCursor in = new JsonCursor(strings, json, from, to)) {
                return projection.read(in);
            } catch (MalformedObject malformed) {
                throw new IllegalArgumentException(malformed.getMessage(), malformed);
            }
        }
    }
}
