package dev.berth.embedded.workload.node;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.Address;
import dev.berth.embedded.client.DeleteOptions;
import dev.berth.embedded.client.Patch;
import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.control.Controller;
import dev.berth.embedded.client.control.Reconciler;
import dev.berth.embedded.client.mirror.Cache;
import dev.berth.embedded.client.mirror.Index;
import dev.berth.embedded.client.mirror.ObjectKey;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.object.Meta;
import dev.berth.embedded.client.object.Pods;
import dev.berth.embedded.client.object.Timestamps;
import dev.berth.embedded.client.object.Toleration;
import dev.berth.embedded.workload.control.Workspace;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Deletes pods from nodes with a NoExecute taint: at once, or when the time they tolerate it is over. */
public final class TaintEviction implements Reconciler<ObjectKey> {
    private final Workspace workspace;
    private final Cache nodes;
    private final Cache pods;
    private final Index podsByNode;
    /** Since when each pod, by UID, has to bear the taints of its node. */
    private final Map<String, Instant> since = new HashMap<>();

    private TaintEviction(Workspace workspace) {
        this.workspace = workspace;
        this.nodes = workspace.mirrors().of(Resource.NODES);
        this.pods = workspace.mirrors().of(Resource.PODS);
        this.podsByNode = workspace.mirrors().index(Resource.PODS, "node", pod -> List.of(Pods.node(pod)));
    }

    /** A controller that hears of the changes it must act on. */
    public static Controller<ObjectKey> in(Workspace workspace) {
        TaintEviction reconciler = new TaintEviction(workspace);
        Controller<ObjectKey> controller =
                new Controller<>(reconciler, workspace.environment().clock());
        reconciler.nodes.listen((before, after) -> {
            List<ObjectNode> earlier = before.map(TaintEviction::taints).orElse(List.of());
            List<ObjectNode> now = after.map(TaintEviction::taints).orElse(List.of());
            if (!earlier.equals(now)) {
                String node = after.or(() -> before).map(Meta::name).orElse("");
                reconciler.podsByNode.of(node).forEach(pod -> controller.enqueue(ObjectKey.of(pod)));
            }
        });
        reconciler.pods.listen((before, after) -> {
            if (after.isEmpty()) {
                before.ifPresent(pod -> reconciler.since.remove(Meta.uid(pod)));
            }
            after.filter(pod -> !reconciler.taintsFor(pod).isEmpty())
                    .ifPresent(pod -> controller.enqueue(ObjectKey.of(pod)));
        });
        return controller;
    }

    private static List<ObjectNode> taints(ObjectNode node) {
        return Json.objects(node, "spec", "taints").stream()
                .filter(taint -> Json.text(taint, "effect").equals(Taint.NO_EXECUTE))
                .toList();
    }

    private List<ObjectNode> taintsFor(ObjectNode pod) {
        return nodes.get("", Pods.node(pod)).map(TaintEviction::taints).orElse(List.of());
    }

    @Override
    public String name() {
        return "taint-eviction-controller";
    }

    @Override
    public Optional<Instant> reconcile(ObjectKey key) {
        Optional<ObjectNode> pod = pods.get(key).filter(found -> !Meta.terminating(found));
        if (pod.isEmpty()) {
            return Optional.empty();
        }
        List<ObjectNode> taints = taintsFor(pod.get());
        Optional<Instant> due = due(pod.get(), taints);
        if (due.isEmpty()) {
            cancel(pod.get());
            return Optional.empty();
        }
        if (due.get().isAfter(workspace.now())) {
            return due;
        }
        evict(pod.get());
        return Optional.empty();
    }

    /** When the pod must go; empty when it may stay. */
    private Optional<Instant> due(ObjectNode pod, List<ObjectNode> taints) {
        if (taints.isEmpty()) {
            return Optional.empty();
        }
        List<Toleration> tolerations = Json.objects(pod, "spec", "tolerations").stream()
                .map(Toleration::of)
                .toList();
        boolean all = taints.stream().allMatch(taint -> tolerations.stream().anyMatch(each -> each.tolerates(taint)));
        if (!all) {
            return Optional.of(workspace.now());
        }
        Optional<Duration> shortest = tolerations.stream()
                .filter(each -> taints.stream().anyMatch(each::tolerates))
                .flatMap(each -> each.time().stream())
                .min(Comparator.naturalOrder());
        return shortest.map(time ->
                since.computeIfAbsent(Meta.uid(pod), none -> workspace.now()).plus(time));
    }

    private void cancel(ObjectNode pod) {
        if (since.remove(Meta.uid(pod)) != null) {
            workspace.normal(pod, "TaintManagerEviction", "Cancelling deletion of Pod " + ObjectKey.of(pod));
        }
    }

    private void evict(ObjectNode pod) {
        since.remove(Meta.uid(pod));
        workspace.normal(pod, "TaintManagerEviction", "Marking for deletion Pod " + ObjectKey.of(pod));
        disrupted(workspace, pod, "DeletionByTaintManager", "Taint manager: deleting due to NoExecute taint");
        workspace.writes().delete(Resource.PODS, pod, DeleteOptions.only(pod));
    }

    /** Notes on the pod why it is about to be deleted. */
    static void disrupted(Workspace workspace, ObjectNode pod, String reason, String message) {
        ObjectNode patch = Json.object();
        patch.putObject("metadata").put("uid", Meta.uid(pod));
        ObjectNode condition = patch.putObject("status").putArray("conditions").addObject();
        condition.put("type", "DisruptionTarget").put("status", "True");
        condition.put("reason", reason).put("message", message);
        condition.put("lastTransitionTime", Timestamps.seconds(workspace.now()));
        workspace
                .writes()
                .patch(Address.of(Resource.PODS, pod), Patch.strategic(patch).toStatus());
    }
}
