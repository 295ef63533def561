package dev.berth.embedded.workload.statefulset;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.ApiException;
import dev.berth.embedded.client.DeleteOptions;
import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.object.Meta;
import dev.berth.embedded.client.object.Pods;
import dev.berth.embedded.workload.control.Workspace;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The pods of a StatefulSet in their order, and the steps that bring the row to its size and revision. */
final class Row {
    private final Workspace workspace;
    private final StatefulSetView set;
    private final Revision current;
    private final Revision update;
    private final Claims claims;
    private final SortedMap<Integer, ObjectNode> pods = new TreeMap<>();

    Row(Workspace workspace, StatefulSetView set, Revision current, Revision update, List<ObjectNode> pods) {
        this.workspace = workspace;
        this.set = set;
        this.current = current;
        this.update = update;
        this.claims = new Claims(workspace, set);
        pods.forEach(pod -> this.pods.put(Identity.ordinal(set, pod), pod));
    }

    /** Takes as many steps as the order of the set allows now. */
    void advance() {
        if (fill() && shrink() && !set.updatesOnDelete()) {
            replaceOutdated();
        }
    }

    /** Sees to every place within the size; false when something must be waited for first. */
    private boolean fill() {
        for (int ordinal = set.start(); ordinal < set.start() + set.replicas(); ordinal++) {
            if (!settle(ordinal) && set.ordered()) {
                return false;
            }
        }
        return true;
    }

    /** Whether the pod of that place is there and available, and nothing had to be done for it. */
    private boolean settle(int ordinal) {
        ObjectNode pod = pods.get(ordinal);
        if (pod == null) {
            create(ordinal);
            return false;
        }
        if (Pods.terminal(pod)) {
            // A pod that ended is replaced whatever its exit code; the next one comes when this one is gone.
            if (!Meta.terminating(pod)) {
                delete(pod);
            }
            return false;
        }
        if (Pods.phase(pod).equals("Pending")) {
            claims.ensure(ordinal);
            claims.assignOwners(pod, ordinal);
        }
        if (Meta.terminating(pod) || !available(pod)) {
            return false;
        }
        restoreIdentity(pod, ordinal);
        claims.assignOwners(pod, ordinal);
        return true;
    }

    private boolean available(ObjectNode pod) {
        return Pods.phase(pod).equals("Running") && Pods.available(pod, set.minReady(), workspace.now());
    }

    private void create(int ordinal) {
        if (claims.stale(ordinal)) {
            return;
        }
        ObjectNode pod = Identity.podOf(set, revisionFor(ordinal), ordinal);
        try {
            if (claims.ensure(ordinal)) {
                ObjectNode created = workspace.writes().create(Resource.PODS, pod);
                claims.assignOwners(created, ordinal);
                tell("Create", pod);
            }
        } catch (ApiException e) {
            if (!e.alreadyExists() && !e.hasCause("NamespaceTerminating")) {
                tell("Create", pod, e);
            }
            throw e;
        }
    }

    /** Below the partition, and where nobody has been updated yet, a lost pod comes back as it was. */
    private Revision revisionFor(int ordinal) {
        int kept = set.hasPartition() ? set.partition() : Json.number(set.object(), 0, "status", "currentReplicas");
        return !set.updatesOnDelete() && ordinal < set.start() + kept ? current : update;
    }

    private void restoreIdentity(ObjectNode pod, int ordinal) {
        if (!Identity.labelled(pod, ordinal)) {
            ObjectNode changed = Json.copy(pod);
            Identity.label(changed, Meta.name(pod), ordinal);
            pods.put(ordinal, workspace.writes().update(Resource.PODS, changed));
            tell("Update", pod);
        }
    }

    /** Deletes the pods beyond the size, the highest number first; false when something must be waited for first. */
    private boolean shrink() {
        List<ObjectNode> condemned = condemned();
        for (ObjectNode pod : condemned) {
            claims.assignOwners(pod, Identity.ordinal(set, pod));
        }
        Optional<String> firstUnavailable = firstUnavailable();
        for (ObjectNode pod : condemned) {
            boolean mayGo = available(pod) || firstUnavailable.equals(Optional.of(Meta.uid(pod)));
            if (!Meta.terminating(pod) && (mayGo || !set.ordered())) {
                delete(pod);
            }
            if (set.ordered()) {
                return false;
            }
        }
        return true;
    }

    private List<ObjectNode> condemned() {
        List<ObjectNode> beyond = new ArrayList<>();
        pods.forEach((ordinal, pod) -> {
            if (!set.hasRoomFor(ordinal)) {
                beyond.add(0, pod);
            }
        });
        return beyond;
    }

    private Optional<String> firstUnavailable() {
        return pods.values().stream()
                .filter(pod -> Meta.terminating(pod) || !available(pod))
                .map(Meta::uid)
                .findFirst();
    }

    /** Deletes the highest pod of another revision, once all above it are available again. */
    private void replaceOutdated() {
        int lowest = set.start() + set.partition();
        for (int ordinal = set.start() + set.replicas() - 1; ordinal >= lowest; ordinal--) {
            ObjectNode pod = pods.get(ordinal);
            if (pod == null) {
                return;
            }
            if (!Identity.revision(pod).equals(update.name()) && !Meta.terminating(pod)) {
                delete(pod);
                return;
            }
            if (Meta.terminating(pod) || !available(pod)) {
                return;
            }
        }
    }

    private void delete(ObjectNode pod) {
        try {
            workspace.writes().delete(Resource.PODS, pod, DeleteOptions.only(pod));
            tell("Delete", pod);
        } catch (ApiException e) {
            tell("Delete", pod, e);
            throw e;
        }
    }

    private void tell(String verb, ObjectNode pod) {
        workspace.normal(
                set.object(),
                "Successful" + verb,
                "%s Pod %s in StatefulSet %s successful".formatted(verb, Meta.name(pod), set.name()));
    }

    private void tell(String verb, ObjectNode pod, ApiException problem) {
        workspace.warning(
                set.object(),
                "Failed" + verb,
                "%s Pod %s in StatefulSet %s failed error: %s"
                        .formatted(verb, Meta.name(pod), set.name(), problem.getMessage()));
    }
}
