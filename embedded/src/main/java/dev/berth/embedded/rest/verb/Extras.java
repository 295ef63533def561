package dev.berth.embedded.rest.verb;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.rest.kind.ServedKind;
import dev.berth.embedded.store.Stored;

/** What a few kinds do beside being stored: addresses for services, kinds for definitions. */
public interface Extras {

    /** Nothing beside. */
    Extras NONE = new Extras() {};

    /** Completes an object that is about to be stored for the first time. */
    default void beforeInsert(ServedKind kind, ObjectNode own, boolean dryRun) {}

    /** Follows up a write that has been made. */
    default void afterWrite(ServedKind kind, Stored written) {}

    /** Follows up a removal that has been made. */
    default void afterRemoval(ServedKind kind, Stored last) {}
}
