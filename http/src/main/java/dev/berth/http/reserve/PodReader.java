package dev.berth.http.reserve;

import dev.berth.core.cluster.Pod;

/** Reads a pod in ordinary Kubernetes JSON. Safe from several threads at once. */
public interface PodReader {
    /**
     * Reads one.
     *
     * @throws IllegalArgumentException when it makes no sense, in words
     */
    Pod read(byte[] json);
}
