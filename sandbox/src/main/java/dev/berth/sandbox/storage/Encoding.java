package dev.berth.sandbox.storage;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.unstructured.JsonText;

/**
 * Encodes objects. An instance is the key under which {@link StoredObject} caches the result, so one encoding should
 * have one instance.
 *
 * @param <T> the encoded form, which is never changed
 */
@FunctionalInterface
public interface Encoding<T> {

    /** JSON of the tree as it is, for objects whose stored and served forms are the same. */
    Encoding<byte[]> JSON = JsonText::write;

    /** Encodes the tree. Equal trees have equal results. The tree is not changed. */
    T encode(ObjectNode tree);
}
