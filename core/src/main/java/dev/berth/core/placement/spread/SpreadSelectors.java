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
    /** About how many bytes the labels may retain: those of one pod may take more than a megabyte. */
    private static final long REMEMBERED_BYTES = 16L << 20;

    private record Kin(Labels labels, Optional<ControllerRef> controller) {}

    private final Function<Pod, List<Workload>> workloadsOf;
    private final Map<String, Page> remembered = new HashMap<>();
    private int size;
    private long bytes;

    /** What is remembered of one namespace. */
    private static final class Page {
        private final Map<Kin, LabelSelector> selectors = new HashMap<>();
        private long bytes;
    }

    public SpreadSelectors(Function<Pod, List<Workload>> workloadsOf) {
        this.workloadsOf = workloadsOf;
    }

    /** Empty when nothing selects the pod: then it is not spread. */
    public LabelSelector of(Pod pod) {
        Page known = remembered.computeIfAbsent(pod.namespace(), name -> new Page());
        Kin kin = new Kin(pod.labels(), pod.controller());
        LabelSelector selector = known.selectors.get(kin);
        if (selector == null) {
            selector = merged(workloadsOf.apply(pod));
            remember(pod.namespace(), kin, selector);
        }
        return selector;
    }

    public void workloadsChanged(String namespace) {
        Page forgotten = remembered.remove(namespace);
        if (forgotten != null) {
            size -= forgotten.selectors.size();
            bytes -= forgotten.bytes;
        }
    }

    public void clear() {
        remembered.clear();
        size = 0;
        bytes = 0;
    }

    private void remember(String namespace, Kin kin, LabelSelector selector) {
        long more = kin.labels.retainedBytes();
        if (size >= REMEMBERED || bytes + more > REMEMBERED_BYTES) {
            clear();
        }
        Page page = remembered.computeIfAbsent(namespace, name -> new Page());
        page.selectors.put(kin, selector);
        page.bytes += more;
        size++;
        bytes += more;
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
