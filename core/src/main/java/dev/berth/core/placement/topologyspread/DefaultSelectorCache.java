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
 * The selector of the default spread constraints of a pod: the combined selectors of its Services and its controller.
 * Cached by labels and controller until a workload of the namespace changes.
 */
public final class DefaultSelectorCache {
    private static final int MAX_ENTRIES = 10_000;
    /** The limit of bytes that the labels may retain: those of one pod may take more than a megabyte. */
    private static final long MAX_BYTES = 16L << 20;

    private record SelectorKey(Labels labels, Optional<ControllerRef> controller) {}

    private final Function<Pod, List<Workload>> workloadsOf;
    private final Map<String, NamespaceSelectors> byNamespace = new HashMap<>();
    private int size;
    private long bytes;

    /** The cached selectors of one namespace. */
    private static final class NamespaceSelectors {
        private final Map<SelectorKey, LabelSelector> selectors = new HashMap<>();
        private long bytes;
    }

    public DefaultSelectorCache(Function<Pod, List<Workload>> workloadsOf) {
        this.workloadsOf = workloadsOf;
    }

    /** Empty if no workload selects the pod: then it is not spread. */
    public LabelSelector selectorFor(Pod pod) {
        NamespaceSelectors selectors = byNamespace.computeIfAbsent(pod.namespace(), name -> new NamespaceSelectors());
        SelectorKey selectorKey = new SelectorKey(pod.labels(), pod.controller());
        LabelSelector selector = selectors.selectors.get(selectorKey);
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

    /**
     * As in kube-scheduler: if a ReplicationController and a Service require different values, the
     * ReplicationController's value is used.
     */
    private static boolean overridesConflictingLabels(Workload.Kind kind) {
        return switch (kind) {
            case SERVICE, REPLICATION_CONTROLLER -> true;
            case REPLICA_SET, STATEFUL_SET -> false;
        };
    }

    /** A controller's selector may contradict a Service's. Then both are required, and no pod matches. */
    private static void requireLabel(
            Map<String, String> equal, List<Requirement> requirements, String key, String value) {
        String other = equal.putIfAbsent(key, value);
        if (other != null && !other.equals(value)) {
            requirements.add(new Requirement(key, Requirement.Operator.IN, List.of(value)));
        }
    }
}
