package dev.berth.core.placement.spread;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Pod;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;

/**
 * Counts pods for the groups that somebody asked for. Pods are filed by namespace and labels, so that one more pod of a
 * template costs one lookup however many groups there are, and a new group is counted from label sets, not from pods.
 */
public final class SpreadIndex {
    /** Beyond this many, groups that nobody keeps are forgotten. */
    private static final int GROUPS = 16_384;

    private final IntUnaryOperator domainOfSlot;
    private final Map<String, Namespace> namespaces = new HashMap<>();
    private int groups;

    /** @param domainOfSlot the zone of the node in a slot, as a small number */
    public SpreadIndex(IntUnaryOperator domainOfSlot) {
        this.domainOfSlot = domainOfSlot;
    }

    public void arrived(int slot, Pod pod) {
        if (!pod.terminating()) {
            count(slot, pod, 1);
        }
    }

    public void left(int slot, Pod pod) {
        if (!pod.terminating()) {
            count(slot, pod, -1);
        }
    }

    /** The group of this selector. Counted for as long as somebody pins it; else good for the decision at hand alone. */
    public SpreadGroup group(String namespace, LabelSelector selector) {
        Namespace space = namespaces.get(namespace);
        SpreadGroup known = space == null ? null : space.group(selector);
        if (known != null) {
            return known;
        }
        if (groups >= GROUPS) {
            forgetUnpinned();
        }
        return open(namespaces.computeIfAbsent(namespace, name -> new Namespace()), selector);
    }

    private SpreadGroup open(Namespace space, LabelSelector selector) {
        SpreadGroup group = new SpreadGroup(selector);
        groups++;
        for (LabelSet set : space.add(group)) {
            set.counts.forEach((slot, count) -> group.add(slot, domainOfSlot.applyAsInt(slot), count));
        }
        return group;
    }

    private void forgetUnpinned() {
        namespaces.values().forEach(Namespace::dropUnpinnedGroups);
        namespaces.values().removeIf(Namespace::isEmpty);
        groups = namespaces.values().stream().mapToInt(Namespace::groupCount).sum();
    }

    private void count(int slot, Pod pod, int delta) {
        Namespace space = namespaces.computeIfAbsent(pod.namespace(), name -> new Namespace());
        LabelSet set = space.set(pod.labels());
        set.counts.add(slot, delta);
        List<SpreadGroup> matching = set.groups;
        int domain = matching.isEmpty() ? 0 : domainOfSlot.applyAsInt(slot);
        for (int i = 0; i < matching.size(); i++) {
            matching.get(i).add(slot, domain, delta);
        }
        if (set.counts.total() == 0) {
            space.remove(set);
        }
    }
}
