package dev.berth.kubernetes.projection;

import java.util.Optional;

/** Reads a kind of which only the metadata is used, so that it can be read together with the rest of the object. */
public interface MetadataProjection<T> extends Projection<T> {
    boolean keepsAnnotation(String key);

    /** The used part of the object; empty if nothing of it is used. */
    Optional<T> view(ObjectMeta meta);
}
