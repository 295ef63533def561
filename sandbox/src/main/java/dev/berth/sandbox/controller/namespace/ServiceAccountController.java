package dev.berth.sandbox.controller.namespace;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.client.ApiException;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.client.informer.InformerCache;
import dev.berth.sandbox.client.informer.NamespacedName;
import dev.berth.sandbox.client.reconcile.Controller;
import dev.berth.sandbox.client.reconcile.KeyReconciler;
import dev.berth.sandbox.controller.util.ControllerContext;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import java.time.Instant;
import java.util.Optional;

/** Creates the ServiceAccount {@code default} in every namespace. */
public final class ServiceAccountController implements KeyReconciler<NamespacedName> {
    private static final String DEFAULT = "default";

    private final ControllerContext controllerContext;
    private final InformerCache namespaces;
    private final InformerCache accounts;

    private ServiceAccountController(ControllerContext controllerContext) {
        this.controllerContext = controllerContext;
        this.namespaces = controllerContext.cacheFor(RestMapping.NAMESPACES);
        this.accounts = controllerContext.cacheFor(RestMapping.SERVICE_ACCOUNTS);
    }

    /** A controller that watches everything it depends on. */
    public static Controller<NamespacedName> newController(ControllerContext controllerContext) {
        ServiceAccountController reconciler = new ServiceAccountController(controllerContext);
        Controller<NamespacedName> controller = controllerContext.newController(reconciler);
        reconciler.namespaces.addListener(
                (before, after) -> after.map(NamespacedName::of).ifPresent(controller::enqueue));
        reconciler.accounts.addListener((before, after) -> {
            if (after.isEmpty()) {
                before.map(account -> new NamespacedName("", ObjectMetaReader.namespace(account)))
                        .ifPresent(controller::enqueue);
            }
        });
        return controller;
    }

    @Override
    public String name() {
        return "serviceaccount-controller";
    }

    @Override
    public Optional<Instant> reconcile(NamespacedName key) {
        Optional<ObjectNode> namespace = namespaces.get(key);
        boolean active = namespace
                .filter(found -> !NestedFields.text(found, "status", "phase").equals("Terminating"))
                .isPresent();
        if (active && accounts.get(key.name(), DEFAULT).isEmpty()) {
            ObjectNode account =
                    NestedFields.newObject().put("apiVersion", "v1").put("kind", "ServiceAccount");
            account.putObject("metadata").put("name", DEFAULT).put("namespace", key.name());
            try {
                controllerContext.writeThroughClient().create(RestMapping.SERVICE_ACCOUNTS, account);
            } catch (ApiException e) {
                if (!e.isAlreadyExists() && !e.isNotFound()) {
                    throw e;
                }
            }
        }
        return Optional.empty();
    }
}
