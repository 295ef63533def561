package dev.berth.core.placement.topologyspread;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Pod;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;

/**
 * Counts pods for the requested groups. Pods are indexed by namespace and labels. So one more pod of a template costs
 * one lookup, independent of the number of groups. A new group is counted from label sets, not from pods.
 */
public final class SpreadIndex {
    /** Beyond this number, groups that are not pinned are evicted. */
    private static final int MAX_GROUPS = 16_384;

    private final IntUnaryOperator domainOfSlot;
    private final Map<String, NamespaceSpreadIndex> namespaceSpreadIndexes = new HashMap<>();
    private int groups;

    /** @param domainOfSlot returns the zone of the node in a slot, as a small number */
    public SpreadIndex(IntUnaryOperator domainOfSlot) {
        this.domainOfSlot = domainOfSlot;
    }

    public void onPodAdded(int slot, Pod pod) {
        if (!pod.terminating()) {
            count(slot, pod, 1);
        }
    }

    public void onPodRemoved(int slot, Pod pod) {
        if (!pod.terminating()) {
            count(slot, pod, -1);
        }
    }

    /** The group of this selector. A pinned group stays counted; any other group is valid for this decision only. */
    public SpreadGroup findOrCreateGroup(String namespace, LabelSelector selector) {
        NamespaceSpreadIndex space = namespaceSpreadIndexes.get(namespace);
        SpreadGroup existing = space == null ? null : space.findGroup(selector);
        if (existing != null) {
            return existing;
        }
        if (groups >= MAX_GROUPS) {
            dropUnpinnedGroups();
        }
        return createGroup(
                namespaceSpreadIndexes.computeIfAbsent(namespace, name -> new NamespaceSpreadIndex()), selector);
    }

    private SpreadGroup createGroup(NamespaceSpreadIndex space, LabelSelector selector) {
        SpreadGroup group = new SpreadGroup(selector);
        groups++;
        for (LabelSetCounts set : space.addGroup(group)) {
            set.counts.forEach((slot, count) -> group.add(slot, domainOfSlot.applyAsInt(slot), count));
        }
        return group;
    }

    private void dropUnpinnedGroups() {
        namespaceSpreadIndexes.values().forEach(NamespaceSpreadIndex::dropUnpinnedGroups);
        namespaceSpreadIndexes.values().removeIf(NamespaceSpreadIndex::isEmpty);
        groups = namespaceSpreadIndexes.values().stream()
                .mapToInt(NamespaceSpreadIndex::groupCount)
                .sum();
    }

    private void count(int slot, Pod pod, int delta) {
        NamespaceSpreadIndex space =
                namespaceSpreadIndexes.computeIfAbsent(pod.namespace(), name -> new NamespaceSpreadIndex());
        LabelSetCounts set = space.findOrAddLabelSet(pod.labels());
        set.counts.add(slot, delta);
        List<SpreadGroup> matching = set.groups;
        int domain = matching.isEmpty() ? 0 : domainOfSlot.applyAsInt(slot);
        for (int i = 0; i < matching.size(); i++) {
            matching.get(i).add(slot, domain, delta);
        }
        if (set.counts.total() == 0) {
            space.removeLabelSet(set);
        }
    }
}
