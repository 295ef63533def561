package dev.berth.sandbox.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.apierrors.ApiStatus;
import dev.berth.sandbox.apierrors.ApiStatusException;
import dev.berth.sandbox.authentication.UserInfo;
import dev.berth.sandbox.registry.ServedKind;
import dev.berth.sandbox.schema.GroupVersionKind;
import dev.berth.sandbox.unstructured.NestedFields;
import java.util.List;
import java.util.Optional;

/**
 * A write that needs admission.
 *
 * @param resource the resource of the path; the object's kind is another one for subresources such as binding
 * @param kind the kind of the object that was sent
 * @param warnings where warnings for the client are collected
 */
public record AdmissionRequest(
        Operation operation,
        ServedKind resource,
        String subresource,
        GroupVersionKind kind,
        TargetName targetName,
        Optional<ObjectNode> object,
        Optional<ObjectNode> oldObject,
        RequestAttributes requestAttributes,
        List<String> warnings) {

    /** The verb of the write. */
    public enum Operation {
        CREATE,
        UPDATE,
        DELETE
    }

    /** The key of the object; the name is empty until it is generated. */
    public record TargetName(String namespace, String name) {}

    /** The user, the options, and whether the request is a dry run. */
    public record RequestAttributes(UserInfo userInfo, ObjectNode options, boolean dryRun) {}

    /** The same request about another state of the object. */
    public AdmissionRequest withObject(ObjectNode other) {
        return new AdmissionRequest(
                operation,
                resource,
                subresource,
                kind,
                targetName,
                Optional.of(other),
                oldObject,
                requestAttributes,
                warnings);
    }

    /** The same request about an object that was in another state before. */
    public AdmissionRequest withOldObject(ObjectNode before) {
        return new AdmissionRequest(
                operation,
                resource,
                subresource,
                kind,
                targetName,
                object,
                Optional.of(before),
                requestAttributes,
                warnings);
    }

    /** The same request for an object whose name is now known. */
    public AdmissionRequest withTargetName(TargetName other) {
        return new AdmissionRequest(
                operation, resource, subresource, kind, other, object, oldObject, requestAttributes, warnings);
    }

    /** The error Forbidden for this request, with a reason. */
    public ApiStatusException forbidden(String why) {
        String name = targetName.name();
        if (name.isEmpty()) {
            String base = object.map(each -> NestedFields.text(each, "metadata", "generateName"))
                    .orElse("");
            name = base.isEmpty() ? "Unknown" : base;
        }
        return new ApiStatusException(ApiStatus.forbidden(resource.groupResource(), name, why));
    }

    /** The object; only deletions have none. */
    public ObjectNode requireObject() {
        return object.orElseThrow(() -> new IllegalStateException("a deletion carries no object"));
    }
}
