package dev.berth.http.reserve;

import dev.berth.core.cluster.Pod;

/** Reads a pod in ordinary Kubernetes JSON. Safe from several threads at once. */
public interface PodReader {
    /** About what a pod takes in memory that says next to nothing. */
    int SMALLEST = 2_048;

    /** About what each value in a pod takes in memory once it is read, beside its letters: a label, a container. */
    int VALUE = 256;

    /**
     * Reads the one that is in these bytes.
     *
     * @param to where it has ended
     * @throws IllegalArgumentException when it makes no sense, in words
     */
    Pod read(byte[] json, int from, int to);

    /**
     * What a pod may take in memory once it is read.
     *
     * @param values how many there are in it, those in others too
     */
    static long cost(int jsonBytes, int values) {
        return SMALLEST + 2L * jsonBytes + (long) VALUE * values;
    }
}
