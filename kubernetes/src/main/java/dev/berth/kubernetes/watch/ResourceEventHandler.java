package dev.berth.kubernetes.watch;

import dev.berth.kubernetes.cursor.ObjectReference;
import java.util.Optional;

/** Receives the changes of the objects of a kind: for each object in order, and always on one thread. */
public interface ResourceEventHandler<T> {
    /** The object was added or updated. */
    void onUpsert(String uid, T view);

    /**
     * The object was deleted.
     *
     * @param last its last state, if the watch showed the deletion; empty if a list showed its absence
     */
    void onDelete(String uid, Optional<T> last);

    /** All objects of the first list were passed on. Called once. */
    void onSynced();

    /** All changes up to this version were passed on. */
    default void onResourceVersion(String version) {}

    /**
     * An object cannot be read. Its earlier state stays; its deletion is passed on only if it was known. Called once
     * for each problem of an object.
     */
    void onUnreadable(ObjectReference objectReference, String problem);

    /** All deletions between the requested version and the first list were passed on. */
    default void onReplayComplete() {}

    /** The events between the version and the first list are lost. */
    default void onReplayLost(String version) {}
}
