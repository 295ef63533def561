package dev.berth.sandbox.storage;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.unstructured.JsonText;

/**
 * A way to write an object down. An instance is the key under which {@link StoredObject} keeps what it made, so one way should
 * have one instance.
 *
 * @param <T> what the written object is held as; never changed once made
 */
@FunctionalInterface
public interface Encoding<T> {

    /** JSON of the tree as it is, for objects whose stored and served forms are the same. */
    Encoding<byte[]> JSON = JsonText::write;

    /** The tree in this form; must give the same for equal trees and must not change the tree. */
    T encode(ObjectNode tree);
}
