package dev.berth.core.door.comeback;

import dev.berth.core.cluster.ControllerRef;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.Workload;
import dev.berth.core.ledger.LedgerView;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/** Which StatefulSets are there. One that was deleted makes no successors, and one of its name and another UID is another. */
final class StatefulSets {
    private StatefulSets() {}

    /** Whether the UIDs of StatefulSets of this kind are watched: other groups have a StatefulSet, too. */
    static boolean isOne(ControllerRef owner) {
        return owner.kind().equals("StatefulSet") && owner.apiVersion().startsWith("apps/");
    }

    /** Whether a StatefulSet controlled the pod that is not there any more. */
    static boolean isDeleted(Pod pod, LedgerView ledger) {
        return pod.controller()
                .filter(StatefulSets::isOne)
                .filter(owner -> ledger.workloadsBySelector(pod).stream()
                        .filter(it -> it.kind() == Workload.Kind.STATEFUL_SET)
                        .noneMatch(it -> isSame(it.uid(), owner.uid())))
                .isPresent();
    }

    /**
     * Tells the reservations whose StatefulSet is not there any more; of one that does not say the UID, that is not known.
     * Costs as much as there are workloads.
     */
    static Predicate<Placeholder> deleted(LedgerView ledger) {
        Map<String, String> uids = new HashMap<>();
        ledger.forEachWorkload(workload -> {
            if (workload.kind() == Workload.Kind.STATEFUL_SET) {
                uids.put(key(workload.namespace(), workload.name()), workload.uid());
            }
        });
        return placeholder -> {
            String key = key(placeholder.namespace(), placeholder.statefulSet());
            return !placeholder.statefulSetUid().isEmpty()
                    && !(uids.containsKey(key) && isSame(uids.getOrDefault(key, ""), placeholder.statefulSetUid()));
        };
    }

    static String key(String namespace, String name) {
        return namespace + "/" + name;
    }

    /** Where one is not known, the name decides. */
    private static boolean isSame(String uid, String other) {
        return uid.isEmpty() || other.isEmpty() || uid.equals(other);
    }
}
