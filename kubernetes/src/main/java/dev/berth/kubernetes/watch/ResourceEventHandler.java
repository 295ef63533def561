package dev.berth.kubernetes.watch;

import dev.berth.kubernetes.cursor.ObjectReference;
import java.util.Optional;

/** Hears what happens to the objects of a kind; for each object in order, and always on one thread. */
public interface ResourceEventHandler<T> {
    /** The object is there and looks like this. */
    void onUpsert(String uid, T view);

    /** The object is no longer there; its last state is known where somebody told its end rather than its absence. */
    void onDelete(String uid, Optional<T> last);

    /** All that there was at first has been told. Told once. */
    void onSynced();

    /** Everything up to this version has been told. */
    default void onResourceVersion(String version) {}

    /**
     * There is an object that cannot be read. What was told of it before stays; its end is told only if it was seen. Told
     * once for each problem of an object.
     */
    void onUnreadable(ObjectReference objectReference, String problem);

    /** All deletions between the version that was asked for and the first list have been told. */
    default void onReplayComplete() {}

    /** What happened between the version and the first list cannot be told any more. */
    default void onReplayLost(String version) {}
}
