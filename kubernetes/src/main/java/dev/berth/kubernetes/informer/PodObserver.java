package dev.berth.kubernetes.informer;

import dev.berth.core.cluster.PodUid;
import dev.berth.kubernetes.projection.ObservedPod;

/** Looks on while pods are told to the engine, on the thread of the watch. Must not take long. */
public interface PodObserver {
    void onUpsert(ObservedPod pod);

    void onDelete(PodUid uid);

    /** What happened to pods between the version and the first list will not be told. */
    default void onReplayLost(String version) {}
}
