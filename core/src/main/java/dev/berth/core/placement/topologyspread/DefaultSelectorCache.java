package dev.berth.core.placement.topologyspread;

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
public final class DefaultSelectorCache {
    private static final int MAX_ENTRIES = 10_000;
    /** About how many bytes the labels may retain: those of one pod may take more than a megabyte. */
    private static final long MAX_BYTES = 16L << 20;

    private record SelectorKey(Labels labels, Optional<ControllerRef> controller) {}

    private final Function<Pod, List<Workload>> workloadsOf;
    private final Map<String, NamespaceSelectors> byNamespace = new HashMap<>();
    private int size;
    private long bytes;

    /** What is remembered of one namespace. */
    private static final class NamespaceSelectors {
        private final Map<SelectorKey, LabelSelector> selectors = new HashMap<>();
        private long bytes;
    }

    public DefaultSelectorCache(Function<Pod, List<Workload>> workloadsOf) {
        this.workloadsOf = workloadsOf;
    }

    /** Empty when nothing selects the pod: then it is not spread. */
    public LabelSelector selectorFor(Pod pod) {
        NamespaceSelectors known = byNamespace.computeIfAbsent(pod.namespace(), name -> new NamespaceSelectors());
        SelectorKey selectorKey = new SelectorKey(pod.labels(), pod.controller());
        LabelSelector selector = known.selectors.get(selectorKey);
        if (selector == null) {
            selector = merge(workloadsOf.apply(pod));
            put(pod.namespace(), selectorKey, selector);
        }
        return selector;
    }

    public void workloadsChanged(String namespace) {
        NamespaceSelectors forgotten = byNamespace.remove(namespace);
        if (forgotten != null) {
            size -= forgotten.selectors.size();
            bytes -= forgotten.bytes;
        }
    }

    public void clear() {
        byNamespace.clear();
        size = 0;
        bytes = 0;
    }

    private void put(String namespace, SelectorKey selectorKey, LabelSelector selector) {
        long more = selectorKey.labels.retainedBytes();
        if (size >= MAX_ENTRIES || bytes + more > MAX_BYTES) {
            clear();
        }
        NamespaceSelectors namespaceSelectors =
                byNamespace.computeIfAbsent(namespace, name -> new NamespaceSelectors());
        namespaceSelectors.selectors.put(selectorKey, selector);
        namespaceSelectors.bytes += more;
        size++;
        bytes += more;
    }

    private static LabelSelector merge(List<Workload> workloads) {
        Map<String, String> equal = new TreeMap<>();
        List<Requirement> requirements = new ArrayList<>();
        for (Workload workload : workloads) {
            workload.selector().matchLabels().forEach((key, value) -> {
                if (overridesConflictingLabels(workload.kind())) {
                    equal.put(key, value);
                } else {
                    requireLabel(equal, requirements, key, value);
                }
            });
            requirements.addAll(workload.selector().matchExpressions());
        }
        return new LabelSelector(
                Labels.of(equal), requirements.stream().distinct().toList());
    }

    /** As kube-scheduler has it: where a ReplicationController and a Service want different values, the former does. */
    private static boolean overridesConflictingLabels(Workload.Kind kind) {
        return switch (kind) {
            case SERVICE, REPLICATION_CONTROLLER -> true;
            case REPLICA_SET, STATEFUL_SET -> false;
        };
    }

    /** A controller's selector need not agree with a Service's: both must hold, though nothing can match them then. */
    private static void requireLabel(
            Map<String, String> equal, List<Requirement> requirements, String key, String value) {
        String other = equal.putIfAbsent(key, value);
        if (other != null && !other.equals(value)) {
            requirements.add(new Requirement(key, Requirement.Operator.IN, List.of(value)));
        }
    }
}
