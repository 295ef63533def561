package dev.berth.sandbox.controller.statefulset;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.client.ApiException;
import dev.berth.sandbox.client.DeleteOptions;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.controller.util.ControllerContext;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import dev.berth.sandbox.unstructured.Pods;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The pods of a StatefulSet in their order, and the steps to the desired size and revision. */
final class OrderedPods {
    private final ControllerContext controllerContext;
    private final StatefulSetView set;
    private final ControllerRevision current;
    private final ControllerRevision update;
    private final StatefulSetClaims claims;
    private final SortedMap<Integer, ObjectNode> pods = new TreeMap<>();

    OrderedPods(
            ControllerContext controllerContext,
            StatefulSetView set,
            ControllerRevision current,
            ControllerRevision update,
            List<ObjectNode> pods) {
        this.controllerContext = controllerContext;
        this.set = set;
        this.current = current;
        this.update = update;
        this.claims = new StatefulSetClaims(controllerContext, set);
        pods.forEach(pod -> this.pods.put(PodIdentity.ordinal(set, pod), pod));
    }

    /** Does as many steps as the pod management policy allows now. */
    void reconcile() {
        if (createMissing() && scaleDown() && !set.updatesOnDelete()) {
            deleteOutdated();
        }
    }

    /** Reconciles each ordinal within the size; false when the next step must wait. */
    private boolean createMissing() {
        for (int ordinal = set.startOrdinal(); ordinal < set.startOrdinal() + set.replicas(); ordinal++) {
            if (!ensurePod(ordinal) && set.isOrdered()) {
                return false;
            }
        }
        return true;
    }

    /** Whether the pod of the ordinal exists and is available, without any change. */
    private boolean ensurePod(int ordinal) {
        ObjectNode pod = pods.get(ordinal);
        if (pod == null) {
            create(ordinal);
            return false;
        }
        if (Pods.isTerminal(pod)) {
            // A finished pod is replaced whatever its exit code. The new pod is created after the deletion.
            if (!ObjectMetaReader.isTerminating(pod)) {
                delete(pod);
            }
            return false;
        }
        if (Pods.phase(pod).equals("Pending")) {
            claims.createMissing(ordinal);
            claims.assignOwners(pod, ordinal);
        }
        if (ObjectMetaReader.isTerminating(pod) || !isAvailable(pod)) {
            return false;
        }
        restoreIdentity(pod, ordinal);
        claims.assignOwners(pod, ordinal);
        return true;
    }

    private boolean isAvailable(ObjectNode pod) {
        return Pods.phase(pod).equals("Running") && Pods.isAvailable(pod, set.minReady(), controllerContext.now());
    }

    private void create(int ordinal) {
        if (claims.isStale(ordinal)) {
            return;
        }
        ObjectNode pod = PodIdentity.newPod(set, revisionFor(ordinal), ordinal);
        try {
            if (claims.createMissing(ordinal)) {
                ObjectNode created = controllerContext.writeThroughClient().create(RestMapping.PODS, pod);
                claims.assignOwners(created, ordinal);
                recordEvent("Create", pod);
            }
        } catch (ApiException e) {
            if (!e.isAlreadyExists() && !e.hasCause("NamespaceTerminating")) {
                recordEvent("Create", pod, e);
            }
            throw e;
        }
    }

    /** A lost pod below the partition, or before the update reaches it, is created at the current revision. */
    private ControllerRevision revisionFor(int ordinal) {
        int kept = set.hasPartition()
                ? set.partition()
                : NestedFields.intValue(set.object(), 0, "status", "currentReplicas");
        return !set.updatesOnDelete() && ordinal < set.startOrdinal() + kept ? current : update;
    }

    private void restoreIdentity(ObjectNode pod, int ordinal) {
        if (!PodIdentity.hasIdentityLabels(pod, ordinal)) {
            ObjectNode changed = pod.deepCopy();
            PodIdentity.setIdentityLabels(changed, ObjectMetaReader.name(pod), ordinal);
            pods.put(ordinal, controllerContext.writeThroughClient().update(RestMapping.PODS, changed));
            recordEvent("Update", pod);
        }
    }

    /** Deletes the pods beyond the size, the highest ordinal first; false when the next step must wait. */
    private boolean scaleDown() {
        List<ObjectNode> condemned = condemned();
        for (ObjectNode pod : condemned) {
            claims.assignOwners(pod, PodIdentity.ordinal(set, pod));
        }
        Optional<String> firstUnavailable = firstUnavailable();
        for (ObjectNode pod : condemned) {
            boolean mayGo = isAvailable(pod) || firstUnavailable.equals(Optional.of(ObjectMetaReader.uid(pod)));
            if (!ObjectMetaReader.isTerminating(pod) && (mayGo || !set.isOrdered())) {
                delete(pod);
            }
            if (set.isOrdered()) {
                return false;
            }
        }
        return true;
    }

    private List<ObjectNode> condemned() {
        List<ObjectNode> beyond = new ArrayList<>();
        pods.forEach((ordinal, pod) -> {
            if (!set.containsOrdinal(ordinal)) {
                beyond.add(0, pod);
            }
        });
        return beyond;
    }

    private Optional<String> firstUnavailable() {
        return pods.values().stream()
                .filter(pod -> ObjectMetaReader.isTerminating(pod) || !isAvailable(pod))
                .map(ObjectMetaReader::uid)
                .findFirst();
    }

    /** Deletes the highest pod of another revision, once all pods above it are available. */
    private void deleteOutdated() {
        int lowest = set.startOrdinal() + set.partition();
        for (int ordinal = set.startOrdinal() + set.replicas() - 1; ordinal >= lowest; ordinal--) {
            ObjectNode pod = pods.get(ordinal);
            if (pod == null) {
                return;
            }
            if (!PodIdentity.revision(pod).equals(update.name()) && !ObjectMetaReader.isTerminating(pod)) {
                delete(pod);
                return;
            }
            if (ObjectMetaReader.isTerminating(pod) || !isAvailable(pod)) {
                return;
            }
        }
    }

    private void delete(ObjectNode pod) {
        try {
            controllerContext.writeThroughClient().delete(RestMapping.PODS, pod, DeleteOptions.withUidOf(pod));
            recordEvent("Delete", pod);
        } catch (ApiException e) {
            recordEvent("Delete", pod, e);
            throw e;
        }
    }

    private void recordEvent(String verb, ObjectNode pod) {
        controllerContext.recordNormal(
                set.object(),
                "Successful" + verb,
                "%s Pod %s in StatefulSet %s successful".formatted(verb, ObjectMetaReader.name(pod), set.name()));
    }

    private void recordEvent(String verb, ObjectNode pod, ApiException problem) {
        controllerContext.recordWarning(
                set.object(),
                "Failed" + verb,
                "%s Pod %s in StatefulSet %s failed error: %s"
                        .formatted(verb, ObjectMetaReader.name(pod), set.name(), problem.getMessage()));
    }
}
