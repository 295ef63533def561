package dev.berth.core.door.godel;

import dev.berth.core.cluster.ControllerRef;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.Workload;
import dev.berth.core.ledger.LedgerView;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/** Decides which StatefulSets were deleted. A StatefulSet of the same name and another UID is not the owner. */
final class StatefulSetOwners {
    private StatefulSetOwners() {}

    /** Whether Berth watches StatefulSets of this API group. Other groups have a kind StatefulSet, too. */
    static boolean isStatefulSet(ControllerRef owner) {
        return owner.kind().equals("StatefulSet") && owner.apiVersion().startsWith("apps/");
    }

    /** Whether the StatefulSet that controlled the pod was deleted. */
    static boolean isOwnerDeleted(Pod pod, LedgerView ledger) {
        return pod.controller()
                .filter(StatefulSetOwners::isStatefulSet)
                .filter(owner -> ledger.workloadsBySelector(pod).stream()
                        .filter(it -> it.kind() == Workload.Kind.STATEFUL_SET)
                        .noneMatch(it -> isSameOrUnknown(it.uid(), owner.uid())))
                .isPresent();
    }

    /**
     * Matches the Reservations whose StatefulSet was deleted. A Reservation without the UID of its StatefulSet does not
     * match. The cost is O(workloads).
     */
    static Predicate<GodelReservation> ownedByDeleted(LedgerView ledger) {
        Map<String, String> uids = new HashMap<>();
        ledger.forEachWorkload(workload -> {
            if (workload.kind() == Workload.Kind.STATEFUL_SET) {
                uids.put(GodelReservation.namespacedName(workload.namespace(), workload.name()), workload.uid());
            }
        });
        return reservation -> {
            String key = GodelReservation.namespacedName(reservation.namespace(), reservation.statefulSetName());
            return !reservation.statefulSetUid().isEmpty()
                    && !(uids.containsKey(key)
                            && isSameOrUnknown(uids.getOrDefault(key, ""), reservation.statefulSetUid()));
        };
    }

    /** If one UID is not known, the name decides. */
    private static boolean isSameOrUnknown(String uid, String other) {
        return uid.isEmpty() || other.isEmpty() || uid.equals(other);
    }
}
