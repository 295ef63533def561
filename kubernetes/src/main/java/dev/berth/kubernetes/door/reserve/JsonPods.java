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
        Seen<ObservedPod> seen = seen(json);
        if (seen.uid().isBlank()) {
            throw new IllegalArgumentException("metadata.uid is empty, and a pod is known by nothing else");
        }
        return seen.view().map(ObservedPod::pod).orElseThrow(() -> new IllegalArgumentException(seen.problem()));
    }

    private Seen<ObservedPod> seen(byte[] json) {
        synchronized (lock) {
            try (JsonCursor in = new JsonCursor(strings, json, 0, json.length)) {
                return projection.read(in);
            } catch (MalformedObject malformed) {
                throw new IllegalArgumentException(malformed.getMessage(), malformed);
            }
        }
    }
}
