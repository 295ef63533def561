package dev.berth.sandbox.endpoints.handlers.write;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.apierrors.ApiStatus;
import dev.berth.sandbox.apierrors.ApiStatusException;
import dev.berth.sandbox.endpoints.request.RequestInfo;
import dev.berth.sandbox.storage.ObjectMetaEditor;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import java.util.List;

/** Checks the metadata of a request against its path. */
final class RequestMetadata {

    private static final List<String> SYSTEM_FIELDS = List.of(
            "creationTimestamp", "uid", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink", "managedFields");

    private RequestMetadata() {}

    /** Removes the metadata that only the server sets. */
    static void wipeSystemFields(ObjectNode mutable) {
        ObjectMetaEditor.mutableMetadata(mutable).remove(SYSTEM_FIELDS);
    }

    /** Sets the namespace of the path. */
    static void ensureNamespace(RequestInfo requestInfo, ObjectNode mutable) {
        String expected = requestInfo.kind().namespaced() ? requestInfo.namespace() : "";
        String said = ObjectMetaReader.namespace(mutable);
        if (said.equals(expected)) {
            return;
        }
        if (expected.isEmpty()) {
            ObjectMetaEditor.mutableMetadata(mutable).remove("namespace");
        } else if (said.isEmpty()) {
            ObjectMetaEditor.mutableMetadata(mutable).put("namespace", expected);
        } else {
            throw new ApiStatusException(ApiStatus.badRequest(
                    "the namespace of the provided object does not match the namespace sent on the request"));
        }
    }

    /** Rejects an update whose object differs from the path. */
    static void requireMatchingName(RequestInfo requestInfo, ObjectNode mutable) {
        String name = ObjectMetaReader.name(mutable);
        if (name.isEmpty()) {
            throw new ApiStatusException(ApiStatus.badRequest("the name of the object (" + requestInfo.name()
                    + " based on URL) was undeterminable: name must be provided"));
        }
        if (!name.equals(requestInfo.name())) {
            throw new ApiStatusException(ApiStatus.badRequest("the name of the object (" + name
                    + ") does not match the name on the URL (" + requestInfo.name() + ")"));
        }
        String namespace = ObjectMetaReader.namespace(mutable);
        if (!requestInfo.namespace().isEmpty() && !namespace.isEmpty() && !namespace.equals(requestInfo.namespace())) {
            throw new ApiStatusException(ApiStatus.badRequest("the namespace of the object (" + namespace
                    + ") does not match the namespace on the request (" + requestInfo.namespace() + ")"));
        }
    }
}
