package dev.berth.embedded.workload.namespace;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.Address;
import dev.berth.embedded.client.ApiClient;
import dev.berth.embedded.client.ApiException;
import dev.berth.embedded.client.DeleteOptions;
import dev.berth.embedded.client.Discovery;
import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.Selection;
import dev.berth.embedded.client.control.Controller;
import dev.berth.embedded.client.control.Reconciler;
import dev.berth.embedded.client.mirror.Cache;
import dev.berth.embedded.client.mirror.ObjectKey;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.object.Meta;
import dev.berth.embedded.workload.control.Workspace;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Deletes everything in a namespace that is to go, then lets the namespace itself go. */
public final class NamespaceController implements Reconciler<ObjectKey> {
    private static final String FINALIZER = "kubernetes";
    private static final Duration LOOK_AGAIN = Duration.ofMillis(500);

    private final Workspace workspace;
    private final Cache namespaces;

    private NamespaceController(Workspace workspace) {
        this.workspace = workspace;
        this.namespaces = workspace.mirrors().of(Resource.NAMESPACES);
    }

    /** A controller that hears of the changes it must act on. */
    public static Controller<ObjectKey> in(Workspace workspace) {
        NamespaceController reconciler = new NamespaceController(workspace);
        Controller<ObjectKey> controller =
                new Controller<>(reconciler, workspace.environment().clock());
        reconciler.namespaces.listen((before, after) ->
                after.filter(Meta::terminating).map(ObjectKey::of).ifPresent(controller::enqueue));
        return controller;
    }

    @Override
    public String name() {
        return "namespace-controller";
    }

    @Override
    public Optional<Instant> reconcile(ObjectKey key) {
        Optional<ObjectNode> namespace =
                namespaces.get(key).filter(Meta::terminating).filter(NamespaceController::waitsForUs);
        return namespace.isEmpty() ? Optional.empty() : empty(namespace.get());
    }

    private static boolean waitsForUs(ObjectNode namespace) {
        for (var finalizer : Json.at(namespace, "spec", "finalizers")) {
            if (finalizer.asText("").equals(FINALIZER)) {
                return true;
            }
        }
        return false;
    }

    private Optional<Instant> empty(ObjectNode namespace) {
        ApiClient client = workspace.environment().client();
        Discovery.Catalogue catalogue = new Discovery(client).read();
        Remains remains = new Remains(catalogue.complete());
        for (Resource resource : catalogue.supporting("list", "delete")) {
            if (resource.namespaced()) {
                delete(resource, Meta.name(namespace), remains);
            }
        }
        ObjectNode updated = remains.report(namespace, workspace);
        if (remains.nothing()) {
            finish(updated);
            return Optional.empty();
        }
        return Optional.of(workspace.now().plus(LOOK_AGAIN));
    }

    /** Objects that wait for a finalizer or for their grace to pass are asked once and then waited for. */
    private void delete(Resource resource, String namespace, Remains remains) {
        ApiClient client = workspace.environment().client();
        try {
            for (ObjectNode object : client.list(resource, Selection.in(namespace))) {
                if (!Meta.terminating(object)) {
                    workspace
                            .writes()
                            .delete(
                                    resource,
                                    object,
                                    DeleteOptions.only(object).with(DeleteOptions.Propagation.BACKGROUND));
                }
            }
            remains.add(resource, client.list(resource, Selection.in(namespace)));
        } catch (ApiException e) {
            // 404 and 405: the resource went away meanwhile, or does not take part.
            if (!e.notFound() && e.code() != 405) {
                remains.failed(resource, e);
            }
        }
    }

    private void finish(ObjectNode namespace) {
        ObjectNode changed = Json.copy(namespace);
        ArrayNode left = Json.array();
        for (var finalizer : Json.at(namespace, "spec", "finalizers")) {
            if (!finalizer.asText("").equals(FINALIZER)) {
                left.add(finalizer);
            }
        }
        Json.child(changed, "spec").set("finalizers", left);
        Address address = Address.of(Resource.NAMESPACES, namespace);
        ObjectNode answer = workspace.environment().client().update(address, "finalize", changed);
        if (left.isEmpty() && Meta.finalizers(answer).isEmpty()) {
            // The last finalizer is gone; older servers want to be asked once more.
            workspace.writes().delete(Resource.NAMESPACES, namespace, DeleteOptions.only(namespace));
        }
    }
}
