package dev.berth.embedded.workload.replicaset;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.ApiException;
import dev.berth.embedded.client.DeleteOptions;
import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.control.Controller;
import dev.berth.embedded.client.control.Reconciler;
import dev.berth.embedded.client.mirror.Cache;
import dev.berth.embedded.client.mirror.Index;
import dev.berth.embedded.client.mirror.ObjectKey;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.object.Meta;
import dev.berth.embedded.client.object.OwnerReference;
import dev.berth.embedded.client.object.Pods;
import dev.berth.embedded.client.transport.UnreachableException;
import dev.berth.embedded.workload.control.Owners;
import dev.berth.embedded.workload.control.Ownership;
import dev.berth.embedded.workload.control.PodTemplate;
import dev.berth.embedded.workload.control.Workspace;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Creates and deletes pods until each ReplicaSet has as many as it asks for. */
public final class ReplicaSetController implements Reconciler<ObjectKey> {
    private static final int MOST_AT_ONCE = 500;
    private static final int LONGEST_PREFIX = 253;

    private final Workspace workspace;
    private final Cache replicaSets;
    private final Index setsByController;
    private final Index podsByController;

    private ReplicaSetController(Workspace workspace) {
        this.workspace = workspace;
        this.replicaSets = workspace.mirrors().of(Resource.REPLICA_SETS);
        this.setsByController = Owners.index(workspace.mirrors(), Resource.REPLICA_SETS);
        this.podsByController = Owners.index(workspace.mirrors(), Resource.PODS);
    }

    /** A controller that hears of the changes it must act on. */
    public static Controller<ObjectKey> in(Workspace workspace) {
        ReplicaSetController reconciler = new ReplicaSetController(workspace);
        Controller<ObjectKey> controller =
                new Controller<>(reconciler, workspace.environment().clock());
        reconciler.replicaSets.listen(
                (before, after) -> after.or(() -> before).map(ObjectKey::of).ifPresent(controller::enqueue));
        workspace
                .mirrors()
                .of(Resource.PODS)
                .listen((before, after) -> Owners.enqueue(controller, reconciler.replicaSets, before, after));
        return controller;
    }

    @Override
    public String name() {
        return "replicaset-controller";
    }

    @Override
    public Optional<Instant> reconcile(ObjectKey key) {
        Optional<ObjectNode> set = replicaSets.get(key);
        return set.isEmpty() ? Optional.empty() : sync(set.get());
    }

    private Optional<Instant> sync(ObjectNode set) {
        Predicate<ObjectNode> matches = Ownership.bySelector(set);
        List<ObjectNode> candidates = new ArrayList<>(podsByController.of(Meta.uid(set)));
        int terminating = (int) candidates.stream()
                .filter(pod -> Meta.terminating(pod) && !Pods.terminal(pod) && matches.test(pod))
                .count();
        candidates.addAll(podsByController.of(Owners.orphansIn(Meta.namespace(set))));
        candidates.removeIf(pod -> !Pods.active(pod));
        List<ObjectNode> active =
                new Ownership(workspace.writes(), Resource.REPLICA_SETS, set, Resource.PODS, matches).claim(candidates);
        Optional<RuntimeException> failure = Meta.terminating(set) ? Optional.empty() : adjust(set, active);
        ReplicaSetStatus status = new ReplicaSetStatus(set, active, terminating, workspace.now());
        writeStatus(set, status.compute(failure));
        failure.ifPresent(problem -> {
            throw problem;
        });
        return status.nextAvailable();
    }

    private void writeStatus(ObjectNode set, ObjectNode status) {
        if (!Json.same(Json.at(set, "status"), status)) {
            ObjectNode changed = Json.copy(set);
            changed.set("status", status);
            workspace.writes().updateStatus(Resource.REPLICA_SETS, changed);
        }
    }

    private Optional<RuntimeException> adjust(ObjectNode set, List<ObjectNode> active) {
        int missing = Json.number(set, 1, "spec", "replicas") - active.size();
        if (missing > 0) {
            return create(set, Math.min(missing, MOST_AT_ONCE));
        }
        return missing < 0 ? delete(set, active, Math.min(-missing, MOST_AT_ONCE)) : Optional.empty();
    }

    /** In batches that double: when all would fail for one reason, few are tried. */
    private Optional<RuntimeException> create(ObjectNode set, int count) {
        int left = count;
        for (int batch = 1; left > 0; batch = Math.min(2 * batch, left)) {
            Optional<RuntimeException> failure = Optional.empty();
            for (int i = 0; i < batch; i++) {
                Optional<RuntimeException> one = createOne(set);
                failure = failure.isPresent() ? failure : one;
            }
            if (failure.isPresent()) {
                return failure;
            }
            left -= batch;
        }
        return Optional.empty();
    }

    private Optional<RuntimeException> createOne(ObjectNode set) {
        ObjectNode pod = PodTemplate.podOf(set);
        String prefix = Meta.name(set) + "-";
        Json.child(pod, "metadata").put("generateName", prefix.length() > LONGEST_PREFIX ? Meta.name(set) : prefix);
        try {
            ObjectNode created = workspace.writes().create(Resource.PODS, pod);
            workspace.normal(set, "SuccessfulCreate", "Created pod: " + Meta.name(created));
            return Optional.empty();
        } catch (ApiException e) {
            if (e.hasCause("NamespaceTerminating")) {
                return Optional.empty();
            }
            workspace.warning(set, "FailedCreate", "Error creating: " + e.getMessage());
            return Optional.of(e);
        } catch (UnreachableException e) {
            return Optional.of(e);
        }
    }

    private Optional<RuntimeException> delete(ObjectNode set, List<ObjectNode> active, int count) {
        Optional<RuntimeException> failure = Optional.empty();
        for (ObjectNode pod : new DeletionOrder(workspace.now(), related(set)).firstToGo(active, count)) {
            try {
                workspace.writes().delete(Resource.PODS, pod, DeleteOptions.only(pod));
                workspace.normal(set, "SuccessfulDelete", "Deleted pod: " + Meta.name(pod));
            } catch (ApiException e) {
                workspace.warning(set, "FailedDelete", "Error deleting: " + e.getMessage());
                failure = Optional.of(e);
            } catch (UnreachableException e) {
                failure = Optional.of(e);
            }
        }
        return failure;
    }

    /** The pods of all replica sets under one deployment: crowding counts across them. */
    private List<ObjectNode> related(ObjectNode set) {
        Optional<OwnerReference> deployment = Meta.controllerOf(set);
        List<ObjectNode> pods = new ArrayList<>();
        if (deployment.isEmpty()) {
            pods.addAll(podsByController.of(Meta.uid(set)));
        } else {
            for (ObjectNode sibling : setsByController.of(deployment.get().uid())) {
                pods.addAll(podsByController.of(Meta.uid(sibling)));
            }
        }
        return pods;
    }
}
