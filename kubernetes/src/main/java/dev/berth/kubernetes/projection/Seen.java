package dev.berth.kubernetes.projection;

import java.util.Optional;

/**
 * An object as it was seen at a version: its view, or, where it cannot be read, in words why there is none. Neither
 * means that there is nothing to know of it.
 *
 * @param uid empty only where the object has none
 * @param label how messages call it, such as {@code pod (default/web-0)}
 */
public record Seen<T>(String uid, String label, String version, Optional<T> view, String problem) {
    static <T> Seen<T> readable(Meta meta, String kind, T view) {
        return new Seen<>(meta.uid(), meta.label(kind), meta.version(), Optional.of(view), "");
    }

    /** There is such an object, but nothing of it matters. */
    static <T> Seen<T> nothing(Meta meta, String kind) {
        return new Seen<>(meta.uid(), meta.label(kind), meta.version(), Optional.empty(), "");
    }

    static <T> Seen<T> unreadable(Meta meta, String kind, String problem) {
        return new Seen<>(meta.uid(), meta.label(kind), meta.version(), Optional.empty(), problem);
    }
}
