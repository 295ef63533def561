package dev.berth.kubernetes.feed;

import dev.berth.core.cluster.PodUid;
import dev.berth.kubernetes.projection.ObservedPod;

/** Looks on while pods are told to the engine, on the thread of the watch. Must not take long. */
public interface PodObserver {
    void seen(ObservedPod pod);

    void gone(PodUid uid);

    /** What happened to pods between the version and the first list will not be told. */
    default void historyLost(String version) {}
}
