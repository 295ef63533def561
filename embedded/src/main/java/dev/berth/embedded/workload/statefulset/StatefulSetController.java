package dev.berth.embedded.workload.statefulset;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.control.Controller;
import dev.berth.embedded.client.control.Reconciler;
import dev.berth.embedded.client.mirror.Cache;
import dev.berth.embedded.client.mirror.Index;
import dev.berth.embedded.client.mirror.ObjectKey;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.object.Meta;
import dev.berth.embedded.client.object.Pods;
import dev.berth.embedded.workload.control.Owners;
import dev.berth.embedded.workload.control.Ownership;
import dev.berth.embedded.workload.control.Workspace;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Keeps the numbered pods of StatefulSets. */
public final class StatefulSetController implements Reconciler<ObjectKey> {
    private final Workspace workspace;
    private final Cache sets;
    private final Index podsByController;

    private StatefulSetController(Workspace workspace) {
        this.workspace = workspace;
        this.sets = workspace.mirrors().of(Resource.STATEFUL_SETS);
        this.podsByController = Owners.index(workspace.mirrors(), Resource.PODS);
        workspace.mirrors().of(Resource.CLAIMS);
        workspace.mirrors().of(Resource.REVISIONS);
    }

    /** A controller that hears of the changes it must act on. */
    public static Controller<ObjectKey> in(Workspace workspace) {
        StatefulSetController reconciler = new StatefulSetController(workspace);
        Controller<ObjectKey> controller =
                new Controller<>(reconciler, workspace.environment().clock());
        reconciler.sets.listen(
                (before, after) -> after.or(() -> before).map(ObjectKey::of).ifPresent(controller::enqueue));
        workspace
                .mirrors()
                .of(Resource.PODS)
                .listen((before, after) -> Owners.enqueue(controller, reconciler.sets, before, after));
        workspace.mirrors().of(Resource.CLAIMS).listen((before, after) -> {
            // A pod to be made waits for the claim of the pod before it to be gone.
            if (after.isEmpty()) {
                before.ifPresent(claim -> reconciler.sets.in(Meta.namespace(claim)).stream()
                        .filter(set ->
                                !new StatefulSetView(set).claimTemplates().isEmpty())
                        .forEach(set -> controller.enqueue(ObjectKey.of(set))));
            }
        });
        return controller;
    }

    @Override
    public String name() {
        return "statefulset-controller";
    }

    @Override
    public Optional<Instant> reconcile(ObjectKey key) {
        Optional<ObjectNode> set = sets.get(key);
        return set.isEmpty() ? Optional.empty() : sync(new StatefulSetView(set.get()));
    }

    private Optional<Instant> sync(StatefulSetView set) {
        Predicate<ObjectNode> matches = Ownership.bySelector(set.object());
        List<ObjectNode> candidates = new ArrayList<>(podsByController.of(Meta.uid(set.object())));
        candidates.addAll(podsByController.of(Owners.orphansIn(set.namespace())));
        List<ObjectNode> pods = new Ownership(
                        workspace.writes(),
                        Resource.STATEFUL_SETS,
                        set.object(),
                        Resource.PODS,
                        pod -> matches.test(pod) && Identity.ordinal(set, pod) >= 0)
                .claim(candidates);
        History history = new History(workspace, set);
        Revision update = history.update();
        Revision current = history.current(update);
        try {
            if (!Meta.terminating(set.object())) {
                new Row(workspace, set, current, update, pods).advance();
            }
        } finally {
            writeStatus(set, current, update, history.collisions());
        }
        history.truncate(pods, current, update);
        return nextAvailable(set);
    }

    /** Counts the pods as they are after all that was just done to them. */
    private void writeStatus(StatefulSetView set, Revision current, Revision update, int collisions) {
        StatefulSetStatus status =
                StatefulSetStatus.count(set, List.copyOf(podsByController.of(Meta.uid(set.object()))), workspace.now());
        ObjectNode wanted = status.toJson(current, update);
        wanted.put("collisionCount", collisions);
        if (!Json.same(Json.at(set.object(), "status"), wanted)) {
            ObjectNode changed = Json.copy(set.object());
            changed.set("status", wanted);
            workspace.writes().updateStatus(Resource.STATEFUL_SETS, changed);
        }
    }

    private Optional<Instant> nextAvailable(StatefulSetView set) {
        return podsByController.of(Meta.uid(set.object())).stream()
                .flatMap(pod -> Pods.availableAt(pod, set.minReady()).stream())
                .filter(at -> at.isAfter(workspace.now()))
                .min(Comparator.naturalOrder());
    }
}
