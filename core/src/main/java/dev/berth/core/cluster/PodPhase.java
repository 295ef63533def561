package dev.berth.core.cluster;

/** {@code status.phase} of a pod. A pod in a terminal phase uses no resources. */
public enum PodPhase {
    PENDING,
    RUNNING,
    SUCCEEDED,
    FAILED,
    UNKNOWN;

    public boolean isTerminal() {
        return this == SUCCEEDED || this == FAILED;
    }
}
