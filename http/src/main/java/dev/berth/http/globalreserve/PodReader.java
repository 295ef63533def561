package dev.berth.http.globalreserve;

import dev.berth.core.cluster.Pod;

/** Reads a pod in ordinary Kubernetes JSON. Safe from several threads at once. */
public interface PodReader {
    /** About the memory of a minimal pod. */
    int BASE_COST = 2_048;

    /** About the memory of each value in a pod, such as a label or a container, without its characters. */
    int COST_PER_VALUE = 256;

    /**
     * Reads the pod in these bytes.
     *
     * @param to the end, exclusive
     * @throws IllegalArgumentException when the pod is malformed
     */
    Pod read(byte[] json, int from, int to);

    /**
     * An estimate of the memory of a pod once it is read.
     *
     * @param values the number of values in it, nested ones included
     */
    static long estimateCost(int jsonBytes, int values) {
        return BASE_COST + 2L * jsonBytes + (long) COST_PER_VALUE * values;
    }
}
