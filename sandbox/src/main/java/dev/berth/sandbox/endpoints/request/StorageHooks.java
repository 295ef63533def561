package dev.berth.sandbox.endpoints.request;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.registry.ServedKind;
import dev.berth.sandbox.storage.StoredObject;

/** What a few kinds do beside being stored. */
public interface StorageHooks {

    /** Completes a valid object that is about to be stored. */
    void beforeWrite(ServedKind kind, ObjectNode mutable);

    /** Follows up a write that has been made. */
    void afterWrite(ServedKind kind, StoredObject written);

    /** Follows up a removal that has been made. */
    void afterDelete(ServedKind kind, StoredObject last);
}
