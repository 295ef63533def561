package dev.berth.kubernetes.projection;

import java.util.Optional;

/**
 * An object as it was seen at a version: its view, or, where it cannot be read, in words why there is none. Neither
 * means that there is nothing to know of it.
 *
 * @param uid empty only where the object has none
 * @param problem empty, or which object cannot be understood and why
 */
public record Seen<T>(String uid, String version, Optional<T> view, String problem) {
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
