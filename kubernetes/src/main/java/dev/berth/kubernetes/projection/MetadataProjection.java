package dev.berth.kubernetes.projection;

import java.util.Optional;

/** Reads a kind of which the metadata alone matters, so that it can be read together with the rest of the object. */
public interface MetadataProjection<T> extends Projection<T> {
    boolean keepsAnnotation(String key);

    /** What matters of the object; empty where nothing does. */
    Optional<T> view(ObjectMeta meta);
}
