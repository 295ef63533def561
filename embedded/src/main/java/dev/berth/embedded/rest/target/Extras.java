package dev.berth.embedded.rest.target;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.rest.kind.ServedKind;
import dev.berth.embedded.store.Stored;

/** What a few kinds do beside being stored. */
public interface Extras {

    /** Completes a valid object that is about to be stored. */
    void complete(ServedKind kind, ObjectNode own);

    /** Follows up a write that has been made. */
    void afterWrite(ServedKind kind, Stored written);

    /** Follows up a removal that has been made. */
    void afterRemoval(ServedKind kind, Stored last);
}
