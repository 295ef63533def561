package dev.berth.kubernetes.door.globalreserve;

import dev.berth.core.cluster.Pod;
import dev.berth.kubernetes.cursor.MalformedObjectException;
import dev.berth.kubernetes.cursor.StringInterner;
import dev.berth.kubernetes.json.JsonCursor;
import dev.berth.kubernetes.projection.ObservedPod;
import dev.berth.kubernetes.projection.PodProjection;
import dev.berth.kubernetes.projection.ReadResult;

/** Reads pods in Kubernetes JSON, as users and schedulers send them. Safe for several threads at once. */
public final class JsonPodReader {
    private final Object lock = new Object();
    private final StringInterner stringInterner = new StringInterner();
    private final PodProjection projection = new PodProjection(annotation -> false);

    /**
     * Reads a pod.
     *
     * @throws IllegalArgumentException if it is malformed
     */
    public Pod read(byte[] json) {
        return read(json, 0, json.length);
    }

    /**
     * Reads a pod from a part of the bytes.
     *
     * @param to the end of the part
     * @throws IllegalArgumentException if it is malformed
     */
    public Pod read(byte[] json, int from, int to) {
        ReadResult<ObservedPod> readResult = project(json, from, to);
        if (readResult.uid().isBlank()) {
            throw new IllegalArgumentException("metadata.uid is empty: the UID identifies the pod");
        }
        return readResult
                .view()
                .map(ObservedPod::pod)
                .orElseThrow(() -> new IllegalArgumentException(readResult.problem()));
    }

    private ReadResult<ObservedPod> project(byte[] json, int from, int to) {
        synchronized (lock) {
            try (JsonCursor in = new JsonCursor(stringInterner, json, from, to)) {
                return projection.read(in);
            } catch (MalformedObjectException malformed) {
                throw new IllegalArgumentException(malformed.getMessage(), malformed);
            }
        }
    }
}
