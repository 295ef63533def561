package dev.berth.core.cluster;

/** Where a pod is in its life. A terminal pod uses nothing any more. */
public enum Phase {
    PENDING,
    RUNNING,
    SUCCEEDED,
    FAILED,
    UNKNOWN;

    public boolean terminal() {
        return this == SUCCEEDED || this == FAILED;
    }
}
