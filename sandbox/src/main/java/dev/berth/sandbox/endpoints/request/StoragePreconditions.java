package dev.berth.sandbox.endpoints.request;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.sandbox.apierrors.ApiStatus;
import dev.berth.sandbox.apierrors.ApiStatusException;
import dev.berth.sandbox.storage.GroupResource;
import dev.berth.sandbox.unstructured.ObjectMetaReader;

/** Refusals that the real server lets its storage layer phrase; clients and people know them by these words. */
public final class StoragePreconditions {

    private StoragePreconditions() {}

    /** Refuses a write that names another identity or version of the object than the present one; empty names none. */
    public static void check(RequestInfo requestInfo, JsonNode present, String uid, String version) {
        if (!uid.isEmpty() && !uid.equals(ObjectMetaReader.uid(present))) {
            throw preconditionFailed(
                    requestInfo,
                    "UID in precondition: " + uid + ", UID in object meta: " + ObjectMetaReader.uid(present));
        }
        if (!version.isEmpty() && !version.equals(ObjectMetaReader.resourceVersion(present))) {
            throw preconditionFailed(
                    requestInfo,
                    "ResourceVersion in precondition: " + version + ", ResourceVersion in object meta: "
                            + ObjectMetaReader.resourceVersion(present));
        }
    }

    private static ApiStatusException preconditionFailed(RequestInfo requestInfo, String difference) {
        GroupResource resource = requestInfo.groupResource();
        String folder = resource.group().contains(".") && !resource.group().endsWith(".k8s.io")
                ? resource.group() + "/" + resource.plural()
                : resource.plural();
        String path = requestInfo.namespace().isEmpty()
                ? requestInfo.name()
                : requestInfo.namespace() + "/" + requestInfo.name();
        String why = "StorageError: invalid object, Code: 4, Key: /registry/" + folder + "/" + path
                + ", ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: " + difference;
        return new ApiStatusException(ApiStatus.conflict(resource, requestInfo.name(), why));
    }
}
