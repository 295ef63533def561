package dev.berth.kubernetes.informer;

import dev.berth.core.cluster.PodUid;
import dev.berth.kubernetes.projection.ObservedPod;

/** Observes pods while they are published, on the thread of the watch. Must be fast. */
public interface PodObserver {
    void onUpsert(ObservedPod pod);

    void onDelete(PodUid uid);

    /** The changes of pods between the version and the first list will not be published. */
    default void onReplayLost(String version) {}
}
