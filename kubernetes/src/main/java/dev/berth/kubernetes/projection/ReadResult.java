package dev.berth.kubernetes.projection;

import dev.berth.kubernetes.cursor.ObjectReference;
import java.util.Optional;

/**
 * An object at a version: its value, or the problem if it cannot be read. Neither means that nothing of it is used;
 * both mean that a part of it cannot be read.
 *
 * @param uid empty only if the object has none
 * @param problem which object is malformed and why; empty if there is none
 * @param objectReference the object with the problem; unknown if there is none
 */
public record ReadResult<T>(
        String uid, String resourceVersion, Optional<T> view, String problem, ObjectReference objectReference) {
    public ReadResult(String uid, String version, Optional<T> view, String problem) {
        this(uid, version, view, problem, ObjectReference.UNKNOWN);
    }

    /** An object of which at most the identity could be read. */
    public static <T> ReadResult<T> unreadable(ObjectReference objectReference, String problem) {
        return new ReadResult<>(
                objectReference.uid(), objectReference.resourceVersion(), Optional.empty(), problem, objectReference);
    }

    /** The same, with the parts of its identity that could be read. */
    public ReadResult<T> withObjectReference(ObjectReference found) {
        return new ReadResult<>(
                uid.isEmpty() ? found.uid() : uid,
                resourceVersion.isEmpty() ? found.resourceVersion() : resourceVersion,
                view,
                problem,
                found);
    }

    public static <T> ReadResult<T> readable(ObjectMeta meta, T view) {
        return new ReadResult<>(meta.uid(), meta.resourceVersion(), Optional.of(view), "");
    }

    /** The object exists, but nothing of it is used. */
    public static <T> ReadResult<T> irrelevant(ObjectMeta meta) {
        return new ReadResult<>(meta.uid(), meta.resourceVersion(), Optional.empty(), "");
    }

    public static <T> ReadResult<T> unreadable(ObjectMeta meta, String kind, Exception malformed) {
        String problem = "%s: %s".formatted(meta.describe(kind), malformed.getMessage());
        return new ReadResult<>(meta.uid(), meta.resourceVersion(), Optional.empty(), problem);
    }
}
