package dev.berth.embedded.workload.namespace;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.ApiException;
import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.control.Controller;
import dev.berth.embedded.client.control.Reconciler;
import dev.berth.embedded.client.mirror.Cache;
import dev.berth.embedded.client.mirror.ObjectKey;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.object.Meta;
import dev.berth.embedded.workload.control.Workspace;
import java.time.Instant;
import java.util.Optional;

/** Sees to it that every namespace has the service account {@code default}. */
public final class ServiceAccountController implements Reconciler<ObjectKey> {
    private static final String DEFAULT = "default";

    private final Workspace workspace;
    private final Cache namespaces;
    private final Cache accounts;

    private ServiceAccountController(Workspace workspace) {
        this.workspace = workspace;
        this.namespaces = workspace.mirrors().of(Resource.NAMESPACES);
        this.accounts = workspace.mirrors().of(Resource.SERVICE_ACCOUNTS);
    }

    /** A controller that hears of the changes it must act on. */
    public static Controller<ObjectKey> in(Workspace workspace) {
        ServiceAccountController reconciler = new ServiceAccountController(workspace);
        Controller<ObjectKey> controller =
                new Controller<>(reconciler, workspace.environment().clock());
        reconciler.namespaces.listen((before, after) -> after.map(ObjectKey::of).ifPresent(controller::enqueue));
        reconciler.accounts.listen((before, after) -> {
            if (after.isEmpty()) {
                before.map(account -> new ObjectKey("", Meta.namespace(account)))
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
    public Optional<Instant> reconcile(ObjectKey key) {
        Optional<ObjectNode> namespace = namespaces.get(key);
        boolean active = namespace
                .filter(found -> !Json.text(found, "status", "phase").equals("Terminating"))
                .isPresent();
        if (active && accounts.get(key.name(), DEFAULT).isEmpty()) {
            ObjectNode account = Json.object().put("apiVersion", "v1").put("kind", "ServiceAccount");
            account.putObject("metadata").put("name", DEFAULT).put("namespace", key.name());
            try {
                workspace.writes().create(Resource.SERVICE_ACCOUNTS, account);
            } catch (ApiException e) {
                if (!e.alreadyExists() && !e.notFound()) {
                    throw e;
                }
            }
        }
        return Optional.empty();
    }
}
