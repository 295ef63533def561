package dev.berth.sandbox.endpoints.request;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.sandbox.apierrors.ApiStatus;
import dev.berth.sandbox.apierrors.ApiStatusException;
import dev.berth.sandbox.storage.GroupResource;
import dev.berth.sandbox.unstructured.ObjectMetaReader;

/** Preconditions, with the messages of the storage layer of the real server. */
public final class StoragePreconditions {

    private StoragePreconditions() {}

    /** Rejects a write whose UID or resource version differs from the current object; empty means no precondition. */
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
