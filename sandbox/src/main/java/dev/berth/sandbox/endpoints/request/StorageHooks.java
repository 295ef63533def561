package dev.berth.sandbox.endpoints.request;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.registry.ServedKind;
import dev.berth.sandbox.storage.StoredObject;

/** Additional steps of single kinds around a write. */
public interface StorageHooks {

    /** Completes a valid object that is about to be stored. */
    void beforeWrite(ServedKind kind, ObjectNode mutable);

    /** Called after the write. */
    void afterWrite(ServedKind kind, StoredObject written);

    /** Called after the removal. */
    void afterDelete(ServedKind kind, StoredObject last);
}
