package dev.berth.kubernetes.projection;

import dev.berth.kubernetes.cursor.ObjectReference;
import java.util.Optional;

/**
 * An object as it was seen at a version: its view, or, where it cannot be read, in words why there is none. Neither
 * means that there is nothing to know of it; both, that a part of it cannot be read.
 *
 * @param uid empty only where the object has none
 * @param problem empty, or which object cannot be understood and why
 * @param objectReference which object has the problem; unknown where there is none
 */
public record ReadResult<T>(
        String uid, String resourceVersion, Optional<T> view, String problem, ObjectReference objectReference) {
    public ReadResult(String uid, String version, Optional<T> view, String problem) {
        this(uid, version, view, problem, ObjectReference.UNKNOWN);
    }

    /** An object of which nothing but, at most, its identity could be read. */
    public static <T> ReadResult<T> unreadable(ObjectReference objectReference, String problem) {
        return new ReadResult<>(
                objectReference.uid(), objectReference.resourceVersion(), Optional.empty(), problem, objectReference);
    }

    /** The same, with what could be read of its identity besides. */
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

    /** There is such an object, but nothing of it matters. */
    public static <T> ReadResult<T> irrelevant(ObjectMeta meta) {
        return new ReadResult<>(meta.uid(), meta.resourceVersion(), Optional.empty(), "");
    }

    public static <T> ReadResult<T> unreadable(ObjectMeta meta, String kind, Exception malformed) {
        String problem = "%s: %s".formatted(meta.describe(kind), malformed.getMessage());
        return new ReadResult<>(meta.uid(), meta.resourceVersion(), Optional.empty(), problem);
    }
}
