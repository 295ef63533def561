package dev.berth.core.placement.spread;

import dev.berth.core.cluster.ControllerRef;
import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.cluster.Workload;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Which pods a pod is to be kept apart from by default: those that its Services and its controller all select. Remembered
 * for pods of equal labels and controller until some workload of the namespace changes.
 */
public final class SpreadSelectors {
    private static final int REMEMBERED = 10_000;

    private record Kin(Labels labels, Optional<ControllerRef> controller) {}

    private final Function<Pod, List<Workload>> workloadsOf;
    private final Map<String, Map<Kin, LabelSelector>> remembered = new HashMap<>();
    private int size;

    public SpreadSelectors(Function<Pod, List<Workload>> workloadsOf) {
        this.workloadsOf = workloadsOf;
    }

    /** Empty when nothing selects the pod: then it is not spread. */
    public LabelSelector of(Pod pod) {
        Map<Kin, LabelSelector> known = remembered.computeIfAbsent(pod.namespace(), name -> new HashMap<>());
        Kin kin = new Kin(pod.labels(), pod.controller());
        LabelSelector selector = known.get(kin);
        if (selector == null) {
            selector = merged(workloadsOf.apply(pod));
            remember(pod.namespace(), kin, selector);
        }
        return selector;
    }

    public void workloadsChanged(String namespace) {
        Map<Kin, LabelSelector> forgotten = remembered.remove(namespace);
        size -= forgotten == null ? 0 : forgotten.size();
    }

    public void clear() {
        remembered.clear();
        size = 0;
    }

    private void remember(String namespace, Kin kin, LabelSelector selector) {
        if (size >= REMEMBERED) {
            clear();
        }
        remembered.computeIfAbsent(namespace, name -> new HashMap<>()).put(kin, selector);
        size++;
    }

    private static LabelSelector merged(List<Workload> workloads) {
        Map<String, String> equal = new TreeMap<>();
        List<Requirement> requirements = new ArrayList<>();
        for (Workload workload : workloads) {
            workload.selector().equal().forEach((key, value) -> {
                if (overrides(workload.kind())) {
                    equal.put(key, value);
                } else {
                    demand(equal, requirements, key, value);
                }
            });
            requirements.addAll(workload.selector().requirements());
        }
        return new LabelSelector(
                Labels.of(equal), requirements.stream().distinct().toList());
    }

    /** As kube-scheduler has it: where a ReplicationController and a Service want different values, the former does. */
    private static boolean overrides(Workload.Kind kind) {
        return switch (kind) {
            case SERVICE, REPLICATION_CONTROLLER -> true;
            case REPLICA_SET, STATEFUL_SET -> false;
        };
    }

    /** A controller's selector need not agree with a Service's: both must hold, though nothing can match them then. */
    private static void demand(Map<String, String> equal, List<Requirement> requirements, String key, String value) {
        String other = equal.putIfAbsent(key, value);
        if (other != null && !other.equals(value)) {
            requirements.add(new Requirement(key, Requirement.Operator.IN, List.of(value)));
        }
    }
}
