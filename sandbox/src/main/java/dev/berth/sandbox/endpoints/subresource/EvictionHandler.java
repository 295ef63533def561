package dev.berth.sandbox.endpoints.subresource;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.admission.AdmissionRequest;
import dev.berth.sandbox.apierrors.ApiStatus;
import dev.berth.sandbox.apierrors.ApiStatusException;
import dev.berth.sandbox.endpoints.BodyResponse;
import dev.berth.sandbox.endpoints.RestRequest;
import dev.berth.sandbox.endpoints.handlers.write.DeleteHandler;
import dev.berth.sandbox.endpoints.handlers.write.DeletionOptions;
import dev.berth.sandbox.endpoints.request.HandlerContext;
import dev.berth.sandbox.endpoints.request.RequestInfo;
import dev.berth.sandbox.endpoints.request.WriteContext;
import dev.berth.sandbox.endpoints.request.WriteOptions;
import dev.berth.sandbox.endpoints.serializer.ResponseFormat;
import dev.berth.sandbox.schema.GroupVersionKind;
import dev.berth.sandbox.storage.ObjectMetaEditor;
import dev.berth.sandbox.storage.StoredObject;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import dev.berth.sandbox.unstructured.TimestampFormat;
import java.util.ArrayList;
import java.util.Set;

/** Deletes a pod if its disruption budgets allow it. */
final class EvictionHandler {

    private static final GroupVersionKind KIND = new GroupVersionKind("policy", "v1", "Eviction");
    private static final Set<String> TERMINAL_OR_PENDING = Set.of("Succeeded", "Failed", "Pending");

    private final HandlerContext handlerContext;
    private final DeleteHandler deleteHandler;
    private final EvictionBudgets budgets;

    EvictionHandler(HandlerContext handlerContext) {
        this.handlerContext = handlerContext;
        this.deleteHandler = new DeleteHandler(handlerContext);
        this.budgets = new EvictionBudgets(handlerContext);
    }

    BodyResponse evict(RequestInfo requestInfo, RestRequest request) {
        ResponseFormat format = ResponseFormat.negotiate(request, true);
        WriteContext writeContext = new WriteContext(
                request.userInfo(), WriteOptions.of(request.queryParameters(), "CreateOptions"), new ArrayList<>());
        ObjectNode sent = handlerContext.bodyDecoder().decode(request, KIND, writeContext.warnings());
        AdmissionRequest admission = writeContext.toAdmissionRequest(AdmissionRequest.Operation.CREATE, requestInfo);
        ObjectNode eviction = handlerContext.admissionPlugin().mutate(admission.withObject(sent));
        if (!ObjectMetaReader.name(eviction).equals(requestInfo.name())) {
            throw new ApiStatusException(ApiStatus.badRequest("name in URL does not match name in Eviction object"));
        }
        handlerContext.admissionPlugin().validate(admission.withObject(eviction));
        DeletionOptions options = options(eviction, writeContext.options().dryRun());
        StoredObject pod = handlerContext.getOrNotFound(requestInfo);
        if (!canIgnoreBudget(pod.tree())) {
            budgets.checkAndDecrement(pod, options.dryRun());
        }
        RequestInfo itself = new RequestInfo(requestInfo.kind(), requestInfo.namespace(), requestInfo.name(), "");
        if (!options.dryRun()) {
            addDisruptionTarget(itself, options);
        }
        // No admission for this deletion: admission has already seen the eviction.
        deleteHandler.deleteWithoutAdmission(itself, options);
        return handlerContext
                .responseWriter()
                .tree(201, format, ApiStatus.success().put("code", 201))
                .withWarnings(writeContext.warnings());
    }

    private static DeletionOptions options(ObjectNode eviction, boolean dryRun) {
        ObjectNode options = eviction.path("deleteOptions") instanceof ObjectNode given
                ? given.deepCopy()
                : JsonNodeFactory.instance.objectNode();
        if (dryRun && options.path("dryRun").isEmpty()) {
            options.putArray("dryRun").add("All");
        }
        return new DeletionOptions(options);
    }

    /** A pod that is finished, pending or terminating does not count for a budget. */
    private static boolean canIgnoreBudget(ObjectNode pod) {
        return TERMINAL_OR_PENDING.contains(NestedFields.text(pod, "status", "phase"))
                || ObjectMetaReader.deletionTimestamp(pod).isPresent();
    }

    /** Adds the DisruptionTarget condition to the pod. */
    private void addDisruptionTarget(RequestInfo requestInfo, DeletionOptions options) {
        while (true) {
            StoredObject present = handlerContext.getOrNotFound(requestInfo);
            deleteHandler.checkPreconditions(requestInfo, present, options);
            ObjectNode mutable = ObjectMetaEditor.shallowCopy(present.tree());
            mutable.set("status", present.tree().path("status").deepCopy());
            ObjectNode condition = JsonNodeFactory.instance.objectNode();
            condition.put("type", "DisruptionTarget").put("status", "True").putNull("lastProbeTime");
            condition.put(
                    "lastTransitionTime",
                    TimestampFormat.formatTime(
                            handlerContext.systemFieldGenerator().now()));
            condition.put("reason", "EvictionByEvictionAPI").put("message", "Eviction API: evicting");
            CopyOnWriteConditions.set(NestedFields.getOrCreateObject(mutable, "status"), condition);
            if (handlerContext.storage(requestInfo).replace(present, mutable).isPresent()) {
                return;
            }
        }
    }
}
