package dev.berth.kubernetes.projection;

import dev.berth.kubernetes.cursor.Identity;
import java.util.Optional;

/**
 * An object as it was seen at a version: its view, or, where it cannot be read, in words why there is none. Neither
 * means that there is nothing to know of it; both, that a part of it cannot be read.
 *
 * @param uid empty only where the object has none
 * @param problem empty, or which object cannot be understood and why
 * @param identity which object has the problem; unknown where there is none
 */
public record Seen<T>(String uid, String version, Optional<T> view, String problem, Identity identity) {
    public Seen(String uid, String version, Optional<T> view, String problem) {
        this(uid, version, view, problem, Identity.UNKNOWN);
    }

    /** An object of which nothing but, at most, its identity could be read. */
    public static <T> Seen<T> unreadable(Identity identity, String problem) {
        return new Seen<>(identity.uid(), identity.version(), Optional.empty(), problem, identity);
    }

    /** The same, with what could be read of its identity besides. */
    public Seen<T> identifiedBy(Identity found) {
        return new Seen<>(
                uid.isEmpty() ? found.uid() : uid, version.isEmpty() ? found.version() : version, view, problem, found);
    }

    public static <T> Seen<T> readable(Meta meta, T view) {
        return new Seen<>(meta.uid(), meta.version(), Optional.of(view), "");
    }

    /** There is such an object, but nothing of it matters. */
    public static <T> Seen<T> nothing(Meta meta) {
        return new Seen<>(meta.uid(), meta.version(), Optional.empty(), "");
    }

    public static <T> Seen<T> unreadable(Meta meta, String kind, Exception malformed) {
        String problem = "%s: %s".formatted(meta.label(kind), malformed.getMessage());
        return new Seen<>(meta.uid(), meta.version(), Optional.empty(), problem);
    }
}
