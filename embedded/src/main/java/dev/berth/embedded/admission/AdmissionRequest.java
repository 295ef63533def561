package dev.berth.embedded.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.auth.User;
import dev.berth.embedded.rest.ApiFailure;
import dev.berth.embedded.rest.ApiStatus;
import dev.berth.embedded.rest.kind.ServedKind;
import dev.berth.embedded.schema.GroupVersionKind;
import dev.berth.embedded.store.Meta;
import java.util.List;
import java.util.Optional;

/**
 * A write that asks to be let in.
 *
 * @param resource the resource of the path; the object's kind is another one for subresources such as binding
 * @param kind the kind of the object that was sent
 * @param warnings where sentences for the client are collected
 */
public record AdmissionRequest(
        Operation operation,
        ServedKind resource,
        String subresource,
        GroupVersionKind kind,
        Place place,
        Optional<ObjectNode> object,
        Optional<ObjectNode> oldObject,
        Circumstances circumstances,
        List<String> warnings) {

    /** What is to be done. */
    public enum Operation {
        CREATE,
        UPDATE,
        DELETE
    }

    /** Where the object lies or will lie; the name is empty while it is still to be made up. */
    public record Place(String namespace, String name) {}

    /** Who asks, with which options, and whether it is only a trial. */
    public record Circumstances(User user, ObjectNode options, boolean dryRun) {}

    /** The same request about another state of the object. */
    public AdmissionRequest with(ObjectNode other) {
        return new AdmissionRequest(
                operation, resource, subresource, kind, place, Optional.of(other), oldObject, circumstances, warnings);
    }

    /** The same request about an object that was in another state before. */
    public AdmissionRequest from(ObjectNode before) {
        return new AdmissionRequest(
                operation, resource, subresource, kind, place, object, Optional.of(before), circumstances, warnings);
    }

    /** The same request for an object whose name is now known. */
    public AdmissionRequest at(Place other) {
        return new AdmissionRequest(
                operation, resource, subresource, kind, other, object, oldObject, circumstances, warnings);
    }

    /** The refusal of this request for a reason, as forbidden. */
    public ApiFailure refusal(String why) {
        String name = place.name();
        if (name.isEmpty()) {
            String base = object.map(each -> Meta.text(each, "generateName")).orElse("");
            name = base.isEmpty() ? "Unknown" : base;
        }
        return new ApiFailure(ApiStatus.forbidden(resource.resource(), name, why));
    }

    /** The object; only deletions have none. */
    public ObjectNode theObject() {
        return object.orElseThrow(() -> new IllegalStateException("a deletion carries no object"));
    }
}
