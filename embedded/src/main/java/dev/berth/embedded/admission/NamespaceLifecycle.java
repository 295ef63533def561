package dev.berth.embedded.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.admission.AdmissionRequest.Operation;
import dev.berth.embedded.rest.ApiFailure;
import dev.berth.embedded.rest.ApiStatus;
import dev.berth.embedded.store.ObjectKey;
import dev.berth.embedded.store.ResourceId;
import dev.berth.embedded.store.Shelf;
import dev.berth.embedded.store.Store;
import dev.berth.embedded.store.Stored;
import dev.berth.embedded.tree.Trees;
import java.util.Set;

/** Nothing is written into a namespace that is not there, nothing new into one that ends, and some never end. */
final class NamespaceLifecycle implements Admission {

    private static final ResourceId NAMESPACES = new ResourceId("", "namespaces");
    private static final Set<String> IMMORTAL = Set.of("default", "kube-system", "kube-public");

    private final Shelf namespaces;

    NamespaceLifecycle(Store store) {
        this.namespaces = store.shelf(NAMESPACES);
    }

    @Override
    public ObjectNode mutate(AdmissionRequest request) {
        String namespace = request.place().namespace();
        if (!namespace.isEmpty()) {
            Stored there = namespaces
                    .get(new ObjectKey("", namespace))
                    .orElseThrow(() -> new ApiFailure(ApiStatus.notFound(NAMESPACES, namespace)));
            if (request.operation() == Operation.CREATE
                    && Trees.text(there.tree(), "status", "phase").equals("Terminating")) {
                throw terminating(request, namespace);
            }
        }
        return request.theObject();
    }

    @Override
    public void validate(AdmissionRequest request) {
        if (request.operation() == Operation.DELETE
                && request.resource().storage().equals(NAMESPACES)
                && IMMORTAL.contains(request.place().name())) {
            throw new ApiFailure(
                    ApiStatus.forbidden(NAMESPACES, request.place().name(), "this namespace may not be deleted"));
        }
    }

    private static ApiFailure terminating(AdmissionRequest request, String namespace) {
        ApiFailure refusal = request.refusal(
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
