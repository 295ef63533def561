package dev.berth.sandbox.endpoints.subresource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.admission.AdmissionRequest;
import dev.berth.sandbox.apierrors.ApiStatus;
import dev.berth.sandbox.apierrors.ApiStatusException;
import dev.berth.sandbox.endpoints.BodyResponse;
import dev.berth.sandbox.endpoints.RestRequest;
import dev.berth.sandbox.endpoints.request.HandlerContext;
import dev.berth.sandbox.endpoints.request.RequestInfo;
import dev.berth.sandbox.endpoints.request.StoragePreconditions;
import dev.berth.sandbox.endpoints.request.WriteContext;
import dev.berth.sandbox.endpoints.request.WriteOptions;
import dev.berth.sandbox.endpoints.serializer.ResponseFormat;
import dev.berth.sandbox.registry.BuiltInValidation;
import dev.berth.sandbox.schema.GroupVersionKind;
import dev.berth.sandbox.storage.GroupResource;
import dev.berth.sandbox.storage.ObjectMetaEditor;
import dev.berth.sandbox.storage.StoredObject;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import dev.berth.sandbox.unstructured.TimestampFormat;
import dev.berth.sandbox.validation.field.FieldError;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Binds a pod to a node: node name, condition, and the annotations and labels of the Binding in one write. A
 * bound, terminating or gated pod is rejected.
 */
public final class BindingHandler {

    private static final GroupVersionKind KIND = new GroupVersionKind("", "v1", "Binding");
    private static final GroupResource REFUSED_ON = new GroupResource("", "pods/binding");

    private final HandlerContext handlerContext;

    public BindingHandler(HandlerContext handlerContext) {
        this.handlerContext = handlerContext;
    }

    /** Handles a Binding for the pod of the path, or, if the path has no name, for the pod with the name of the Binding. */
    public BodyResponse bind(RequestInfo requestInfo, RestRequest request) {
        ResponseFormat format = ResponseFormat.negotiate(request, true);
        WriteContext writeContext = new WriteContext(
                request.userInfo(), WriteOptions.of(request.queryParameters(), "CreateOptions"), new ArrayList<>());
        ObjectNode sent = handlerContext.bodyDecoder().decode(request, KIND, writeContext.warnings());
        RequestInfo pod =
                requestInfo.name().isEmpty() ? requestInfo.withName(ObjectMetaReader.name(sent)) : requestInfo;
        ensureNamespace(pod, sent);
        AdmissionRequest admission = writeContext.toAdmissionRequest(AdmissionRequest.Operation.CREATE, pod);
        ObjectNode binding = handlerContext.admissionPlugin().mutate(admission.withObject(sent));
        check(pod, binding);
        handlerContext.admissionPlugin().validate(admission.withObject(binding));
        assign(pod, binding, writeContext.options().dryRun());
        ObjectNode success = ApiStatus.success().put("code", 201);
        return handlerContext.responseWriter().tree(201, format, success).withWarnings(writeContext.warnings());
    }

    private static void ensureNamespace(RequestInfo pod, ObjectNode binding) {
        String namespace = ObjectMetaReader.namespace(binding);
        if (namespace.isEmpty()) {
            ObjectMetaEditor.mutableMetadata(binding).put("namespace", pod.namespace());
        } else if (!namespace.equals(pod.namespace())) {
            throw new ApiStatusException(ApiStatus.badRequest(
                    "the namespace of the provided object does not match the namespace sent on the request"));
        }
    }

    private static void check(RequestInfo pod, ObjectNode binding) {
        if (!ObjectMetaReader.name(binding).equals(pod.name())) {
            throw new ApiStatusException(ApiStatus.badRequest("name in URL does not match name in Binding object"));
        }
        List<FieldError> errors = BuiltInValidation.validateCreate(KIND.group(), KIND.version(), KIND.kind(), binding);
        if (!errors.isEmpty()) {
            String all = errors.stream().map(FieldError::toString).distinct().collect(Collectors.joining(", "));
            throw new ApiStatusException(ApiStatus.unknownError(errors.size() > 1 ? "[" + all + "]" : all));
        }
    }

    private void assign(RequestInfo pod, ObjectNode binding, boolean dryRun) {
        while (true) {
            StoredObject present = handlerContext.getOrNotFound(pod);
            StoragePreconditions.check(
                    pod, present.tree(), ObjectMetaReader.uid(binding), ObjectMetaReader.resourceVersion(binding));
            requireBindable(pod.name(), present.tree());
            ObjectNode bound = bindPod(present.tree(), binding);
            if (dryRun || handlerContext.storage(pod).replace(present, bound).isPresent()) {
                return;
            }
        }
    }

    private static void requireBindable(String name, ObjectNode pod) {
        if (ObjectMetaReader.deletionTimestamp(pod).isPresent()) {
            throw conflict(name, "pod " + name + " is being deleted, cannot be assigned to a host");
        }
        String node = NestedFields.text(pod, "spec", "nodeName");
        if (!node.isEmpty()) {
            throw conflict(name, "pod " + name + " is already assigned to node \"" + node + "\"");
        }
        if (!pod.path("spec").path("schedulingGates").isEmpty()) {
            throw conflict(name, "pod " + name + " has non-empty .spec.schedulingGates");
        }
    }

    private static ApiStatusException conflict(String name, String why) {
        return new ApiStatusException(ApiStatus.conflict(REFUSED_ON, name, why));
    }

    /** The bound pod. It shares all unchanged parts with the old pod, because binds are the most frequent writes. */
    private ObjectNode bindPod(ObjectNode pod, ObjectNode binding) {
        ObjectNode mutable = ObjectMetaEditor.shallowCopy(pod);
        ObjectNode metadata = ObjectMetaEditor.mutableMetadata(mutable);
        merge(metadata, "annotations", binding.path("metadata").path("annotations"));
        merge(metadata, "labels", binding.path("metadata").path("labels"));
        ObjectNode spec = copy(mutable, "spec");
        spec.put("nodeName", NestedFields.text(binding, "target", "name"));
        ObjectNode status = copy(mutable, "status");
        status.remove("nominatedNodeName");
        CopyOnWriteConditions.set(status, podScheduledCondition());
        return mutable;
    }

    private static void merge(ObjectNode metadata, String field, JsonNode added) {
        if (added.isEmpty()) {
            return;
        }
        ObjectNode merged = copy(metadata, field);
        added.properties().forEach(entry -> merged.set(entry.getKey(), entry.getValue()));
    }

    private static ObjectNode copy(ObjectNode parent, String field) {
        JsonNode old = parent.get(field);
        ObjectNode copy = parent.putObject(field);
        if (old instanceof ObjectNode object) {
            copy.setAll(object);
        }
        return copy;
    }

    private ObjectNode podScheduledCondition() {
        ObjectNode scheduled = JsonNodeFactory.instance.objectNode();
        scheduled.put("type", "PodScheduled").put("status", "True").putNull("lastProbeTime");
        return scheduled.put(
                "lastTransitionTime",
                TimestampFormat.formatTime(handlerContext.systemFieldGenerator().now()));
    }
}
