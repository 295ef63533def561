package dev.berth.sandbox.controller.namespace;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.client.ApiException;
import dev.berth.sandbox.client.DeleteOptions;
import dev.berth.sandbox.client.DiscoveryClient;
import dev.berth.sandbox.client.DynamicClient;
import dev.berth.sandbox.client.ListScope;
import dev.berth.sandbox.client.ObjectLocation;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.client.informer.InformerCache;
import dev.berth.sandbox.client.informer.NamespacedName;
import dev.berth.sandbox.client.reconcile.Controller;
import dev.berth.sandbox.client.reconcile.KeyReconciler;
import dev.berth.sandbox.controller.util.ControllerContext;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Deletes the content of a terminating namespace, and then finalizes the namespace. */
public final class NamespaceController implements KeyReconciler<NamespacedName> {
    private static final String FINALIZER = "kubernetes";
    private static final Duration RETRY_INTERVAL = Duration.ofMillis(500);

    private final ControllerContext controllerContext;
    private final InformerCache namespaces;

    private NamespaceController(ControllerContext controllerContext) {
        this.controllerContext = controllerContext;
        this.namespaces = controllerContext.cacheFor(RestMapping.NAMESPACES);
    }

    /** A controller that watches everything it depends on. */
    public static Controller<NamespacedName> newController(ControllerContext controllerContext) {
        NamespaceController reconciler = new NamespaceController(controllerContext);
        Controller<NamespacedName> controller = controllerContext.newController(reconciler);
        reconciler.namespaces.addListener((before, after) -> after.filter(ObjectMetaReader::isTerminating)
                .map(NamespacedName::of)
                .ifPresent(controller::enqueue));
        return controller;
    }

    @Override
    public String name() {
        return "namespace-controller";
    }

    @Override
    public Optional<Instant> reconcile(NamespacedName key) {
        Optional<ObjectNode> namespace = namespaces
                .get(key)
                .filter(ObjectMetaReader::isTerminating)
                .filter(NamespaceController::hasKubernetesFinalizer);
        return namespace.isEmpty() ? Optional.empty() : deleteContent(namespace.get());
    }

    private static boolean hasKubernetesFinalizer(ObjectNode namespace) {
        for (var finalizer : NestedFields.at(namespace, "spec", "finalizers")) {
            if (finalizer.asText("").equals(FINALIZER)) {
                return true;
            }
        }
        return false;
    }

    private Optional<Instant> deleteContent(ObjectNode namespace) {
        DynamicClient client = controllerContext.environment().client();
        DiscoveryClient.ServerResources serverResources = new DiscoveryClient(client).discover();
        RemainingContent remainingContent = new RemainingContent(serverResources.complete());
        for (RestMapping restMapping : serverResources.withVerbs("list", "delete")) {
            if (restMapping.namespaced()) {
                deleteCollection(restMapping, ObjectMetaReader.name(namespace), remainingContent);
            }
        }
        ObjectNode updated = remainingContent.writeConditions(namespace, controllerContext);
        if (remainingContent.isEmpty()) {
            finalizeNamespace(updated);
            return Optional.empty();
        }
        return Optional.of(controllerContext.now().plus(RETRY_INTERVAL));
    }

    /** Deletes each object once, and then waits for its finalizers and its grace period. */
    private void deleteCollection(RestMapping restMapping, String namespace, RemainingContent remainingContent) {
        DynamicClient client = controllerContext.environment().client();
        try {
            for (ObjectNode object : client.list(restMapping, ListScope.inNamespace(namespace))) {
                if (!ObjectMetaReader.isTerminating(object)) {
                    controllerContext
                            .writeThroughClient()
                            .delete(
                                    restMapping,
                                    object,
                                    DeleteOptions.withUidOf(object)
                                            .withPropagation(DeleteOptions.Propagation.BACKGROUND));
                }
            }
            remainingContent.add(restMapping, client.list(restMapping, ListScope.inNamespace(namespace)));
        } catch (ApiException e) {
            // 404 and 405: the resource is no longer served, or does not support the verb.
            if (!e.isNotFound() && e.code() != 405) {
                remainingContent.addFailure(restMapping, e);
            }
        }
    }

    private void finalizeNamespace(ObjectNode namespace) {
        ObjectNode changed = namespace.deepCopy();
        ArrayNode left = NestedFields.newArray();
        for (var finalizer : NestedFields.at(namespace, "spec", "finalizers")) {
            if (!finalizer.asText("").equals(FINALIZER)) {
                left.add(finalizer);
            }
        }
        NestedFields.getOrCreateObject(changed, "spec").set("finalizers", left);
        ObjectLocation objectLocation = ObjectLocation.of(RestMapping.NAMESPACES, namespace);
        ObjectNode answer = controllerContext.environment().client().update(objectLocation, "finalize", changed);
        if (left.isEmpty() && ObjectMetaReader.finalizers(answer).isEmpty()) {
            // The last finalizer is removed; older servers need another delete.
            controllerContext
                    .writeThroughClient()
                    .delete(RestMapping.NAMESPACES, namespace, DeleteOptions.withUidOf(namespace));
        }
    }
}
