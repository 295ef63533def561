package dev.berth.sandbox.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.admission.AdmissionRequest.Operation;
import dev.berth.sandbox.apierrors.ApiStatus;
import dev.berth.sandbox.apierrors.ApiStatusException;
import dev.berth.sandbox.storage.GroupResource;
import dev.berth.sandbox.storage.ResourceStorage;
import dev.berth.sandbox.storage.StorageKey;
import dev.berth.sandbox.storage.Store;
import dev.berth.sandbox.storage.StoredObject;
import dev.berth.sandbox.unstructured.NestedFields;
import java.util.Set;

/** Rejects writes into missing namespaces, creates in terminating namespaces, and the deletion of system namespaces. */
final class NamespaceLifecycle implements AdmissionPlugin {

    private static final GroupResource NAMESPACES = new GroupResource("", "namespaces");
    private static final Set<String> PROTECTED_NAMESPACES = Set.of("default", "kube-system", "kube-public");

    private final ResourceStorage namespaces;

    NamespaceLifecycle(Store store) {
        this.namespaces = store.resource(NAMESPACES);
    }

    @Override
    public ObjectNode mutate(AdmissionRequest request) {
        String namespace = request.targetName().namespace();
        if (!namespace.isEmpty()) {
            StoredObject there = namespaces
                    .get(new StorageKey("", namespace))
                    .orElseThrow(() -> new ApiStatusException(ApiStatus.notFound(NAMESPACES, namespace)));
            if (request.operation() == Operation.CREATE
                    && NestedFields.text(there.tree(), "status", "phase").equals("Terminating")) {
                throw namespaceTerminating(request, namespace);
            }
        }
        return request.requireObject();
    }

    @Override
    public void validate(AdmissionRequest request) {
        if (request.operation() == Operation.DELETE
                && request.resource().storage().equals(NAMESPACES)
                && PROTECTED_NAMESPACES.contains(request.targetName().name())) {
            throw new ApiStatusException(
                    ApiStatus.forbidden(NAMESPACES, request.targetName().name(), "this namespace may not be deleted"));
        }
    }

    private static ApiStatusException namespaceTerminating(AdmissionRequest request, String namespace) {
        ApiStatusException refusal = request.forbidden(
                "unable to create new content in namespace " + namespace + " because it is being terminated");
        ObjectNode details = refusal.status().tree().withObjectProperty("details");
        details.putArray("causes")
                .addObject()
                .put("reason", "NamespaceTerminating")
                .put("message", "namespace " + namespace + " is being terminated")
                .put("field", "metadata.namespace");
        return refusal;
    }
}
