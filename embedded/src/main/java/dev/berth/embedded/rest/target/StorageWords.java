package dev.berth.embedded.rest.target;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.embedded.rest.ApiFailure;
import dev.berth.embedded.rest.ApiStatus;
import dev.berth.embedded.store.Meta;
import dev.berth.embedded.store.ResourceId;

/** Refusals that the real server lets its storage layer phrase; clients and people know them by these words. */
public final class StorageWords {

    private StorageWords() {}

    /** Refuses a write that names another identity or version of the object than the present one; empty names none. */
    public static void checkPreconditions(Target target, JsonNode present, String uid, String version) {
        if (!uid.isEmpty() && !uid.equals(Meta.uid(present))) {
            throw refusal(target, "UID in precondition: " + uid + ", UID in object meta: " + Meta.uid(present));
        }
        if (!version.isEmpty() && !version.equals(Meta.resourceVersion(present))) {
            throw refusal(
                    target,
                    "ResourceVersion in precondition: " + version + ", ResourceVersion in object meta: "
                            + Meta.resourceVersion(present));
        }
    }

    private static ApiFailure refusal(Target target, String difference) {
        ResourceId resource = target.resource();
        String folder = resource.group().contains(".") && !resource.group().endsWith(".k8s.io")
                ? resource.group() + "/" + resource.plural()
                : resource.plural();
        String path = target.namespace().isEmpty() ? target.name() : target.namespace() + "/" + target.name();
        String why = "StorageError: invalid object, Code: 4, Key: /registry/" + folder + "/" + path
                + ", ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: " + difference;
        return new ApiFailure(ApiStatus.conflict(resource, target.name(), why));
    }
}
