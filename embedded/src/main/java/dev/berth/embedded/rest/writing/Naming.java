package dev.berth.embedded.rest.writing;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.rest.ApiFailure;
import dev.berth.embedded.rest.ApiStatus;
import dev.berth.embedded.rest.target.Target;
import dev.berth.embedded.store.Meta;
import java.util.List;

/** Makes the metadata a client sends agree with the path it sends it to. */
final class Naming {

    private static final List<String> SYSTEM_FIELDS = List.of(
            "creationTimestamp", "uid", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink", "managedFields");

    private Naming() {}

    /** Takes away what only the server may say of a new object. */
    static void wipeSystemFields(ObjectNode own) {
        Meta.of(own).remove(SYSTEM_FIELDS);
    }

    /** Puts the object into the namespace of the path. */
    static void settle(Target target, ObjectNode own) {
        String expected = target.kind().namespaced() ? target.namespace() : "";
        String said = Meta.namespace(own);
        if (said.equals(expected)) {
            return;
        }
        if (expected.isEmpty()) {
            Meta.of(own).remove("namespace");
        } else if (said.isEmpty()) {
            Meta.of(own).put("namespace", expected);
        } else {
            throw new ApiFailure(ApiStatus.badRequest(
                    "the namespace of the provided object does not match the namespace sent on the request"));
        }
    }

    /** Refuses an update whose object is another than the path's. */
    static void check(Target target, ObjectNode own) {
        String name = Meta.name(own);
        if (name.isEmpty()) {
            throw new ApiFailure(ApiStatus.badRequest("the name of the object (" + target.name()
                    + " based on URL) was undeterminable: name must be provided"));
        }
        if (!name.equals(target.name())) {
            throw new ApiFailure(ApiStatus.badRequest("the name of the object (" + name
                    + ") does not match the name on the URL (" + target.name() + ")"));
        }
        String namespace = Meta.namespace(own);
        if (!target.namespace().isEmpty() && !namespace.isEmpty() && !namespace.equals(target.namespace())) {
            throw new ApiFailure(ApiStatus.badRequest("the namespace of the object (" + namespace
                    + ") does not match the namespace on the request (" + target.namespace() + ")"));
        }
    }
}
