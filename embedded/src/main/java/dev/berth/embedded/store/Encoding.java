package dev.berth.embedded.store;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * A way to write an object as bytes. An instance is the key under which {@link Stored} keeps the bytes it made, so one
 * way should have one instance.
 */
@FunctionalInterface
public interface Encoding {

    /** The bytes of the tree; must give equal bytes for equal trees and must not change the tree. */
    byte[] encode(ObjectNode tree);
}
