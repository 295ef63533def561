package dev.berth.kubernetes.watch;

import java.util.Optional;

/** Hears what happens to the objects of a kind; for each object in order, and always on one thread. */
public interface Listener<T> {
    /** The object is there and looks like this. */
    void seen(String uid, T view);

    /** The object is no longer there; its last state is known where somebody told its end rather than its absence. */
    void gone(String uid, Optional<T> last);

    /** All that there was at first has been told. Told once. */
    void listed();

    /** Everything up to this version has been told. */
    default void reached(String version) {}

    /** There is an object that cannot be understood; nothing else is told of it, not even its end if it was never seen. */
    void unreadable(String problem);

    /** All deletions between the version that was asked for and the first list have been told. */
    default void historyTold() {}

    /** What happened between the version and the first list cannot be told any more. */
    default void historyLost(String version) {}
}
