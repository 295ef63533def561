package dev.berth.embedded.workload.node;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.Address;
import dev.berth.embedded.client.ApiException;
import dev.berth.embedded.client.DeleteOptions;
import dev.berth.embedded.client.Patch;
import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.control.Controller;
import dev.berth.embedded.client.control.Reconciler;
import dev.berth.embedded.client.mirror.Cache;
import dev.berth.embedded.client.mirror.ObjectKey;
import dev.berth.embedded.client.object.Conditions;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.object.Meta;
import dev.berth.embedded.client.object.Pods;
import dev.berth.embedded.workload.control.Workspace;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Removes pods that no kubelet will ever end: those whose node is gone for good, terminating ones that never had a node,
 * and terminating ones on a node that is out of service.
 */
public final class PodCleanup implements Reconciler<ObjectKey> {
    private static final Duration QUARANTINE = Duration.ofSeconds(40);
    private static final String OUT_OF_SERVICE = "node.kubernetes.io/out-of-service";

    private final Workspace workspace;
    private final Cache nodes;
    private final Cache pods;
    private final Map<String, Instant> missingSince = new HashMap<>();

    private PodCleanup(Workspace workspace) {
        this.workspace = workspace;
        this.nodes = workspace.mirrors().of(Resource.NODES);
        this.pods = workspace.mirrors().of(Resource.PODS);
    }

    /** A controller that hears of the changes it must act on. */
    public static Controller<ObjectKey> in(Workspace workspace) {
        PodCleanup reconciler = new PodCleanup(workspace);
        Controller<ObjectKey> controller =
                new Controller<>(reconciler, workspace.environment().clock());
        reconciler.pods.listen((before, after) ->
                after.filter(reconciler::suspicious).map(ObjectKey::of).ifPresent(controller::enqueue));
        reconciler.nodes.listen((before, after) -> {
            after.map(Meta::name).ifPresent(reconciler.missingSince::remove);
            boolean trouble =
                    after.isEmpty() || after.filter(PodCleanup::outOfService).isPresent();
            if (trouble) {
                reconciler.pods.all().stream()
                        .filter(reconciler::suspicious)
                        .forEach(pod -> controller.enqueue(ObjectKey.of(pod)));
            }
        });
        return controller;
    }

    private static boolean outOfService(ObjectNode node) {
        return !Conditions.isTrue(node, "Ready")
                && Json.objects(node, "spec", "taints").stream()
                        .anyMatch(taint -> Json.text(taint, "key").equals(OUT_OF_SERVICE));
    }

    private boolean suspicious(ObjectNode pod) {
        String node = Pods.node(pod);
        if (node.isEmpty()) {
            return Meta.terminating(pod);
        }
        return nodes.get("", node)
                .map(found -> Meta.terminating(pod) && outOfService(found))
                .orElse(true);
    }

    @Override
    public String name() {
        return "pod-garbage-collector";
    }

    @Override
    public Optional<Instant> reconcile(ObjectKey key) {
        Optional<ObjectNode> pod = pods.get(key).filter(this::suspicious);
        return pod.isEmpty() ? Optional.empty() : examine(pod.get());
    }

    private Optional<Instant> examine(ObjectNode pod) {
        String node = Pods.node(pod);
        boolean missing = !node.isEmpty() && nodes.get("", node).isEmpty();
        if (!missing) {
            remove(pod);
            return Optional.empty();
        }
        // A node may be registered anew under its name; and our news may be late.
        Instant due =
                missingSince.computeIfAbsent(node, none -> workspace.now()).plus(QUARANTINE);
        if (due.isAfter(workspace.now())) {
            return Optional.of(due);
        }
        if (workspace.environment().client().find(Resource.NODES.named(node)).isEmpty()) {
            TaintEviction.disrupted(workspace, pod, "DeletionByPodGC", "PodGC: node no longer exists");
            remove(pod);
        }
        return Optional.empty();
    }

    private void remove(ObjectNode pod) {
        if (!Pods.terminal(pod)) {
            ObjectNode patch = Json.object();
            patch.putObject("metadata").put("uid", Meta.uid(pod));
            patch.putObject("status").put("phase", "Failed");
            try {
                workspace
                        .writes()
                        .patch(
                                Address.of(Resource.PODS, pod),
                                Patch.strategic(patch).toStatus());
            } catch (ApiException e) {
                if (!e.notFound()) {
                    throw e;
                }
            }
        }
        workspace.writes().delete(Resource.PODS, pod, DeleteOptions.only(pod).withGrace(0));
    }
}
