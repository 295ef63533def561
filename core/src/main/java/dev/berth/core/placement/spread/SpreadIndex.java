package dev.berth.core.placement.spread;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
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
    private final IntUnaryOperator domainOfSlot;
    private final Map<String, Namespace> namespaces = new HashMap<>();

    /** What is known of one namespace. */
    private static final class Namespace {
        final Map<Labels, LabelSet> sets = new HashMap<>();
        final Map<LabelSelector, SpreadGroup> groups = new HashMap<>();
    }

    /** @param domainOfSlot the zone of the node in a slot, as a small number */
    public SpreadIndex(IntUnaryOperator domainOfSlot) {
        this.domainOfSlot = domainOfSlot;
    }

    public void clear() {
        namespaces.clear();
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

    /** The group of this selector, counted from now on until it is {@link #release}d as often as it was asked for. */
    public SpreadGroup group(String namespace, LabelSelector selector) {
        Namespace space = namespaces.computeIfAbsent(namespace, name -> new Namespace());
        SpreadGroup group = space.groups.get(selector);
        if (group == null) {
            group = new SpreadGroup(namespace, selector);
            space.groups.put(selector, group);
            for (Map.Entry<Labels, LabelSet> entry : space.sets.entrySet()) {
                if (selector.matches(entry.getKey())) {
                    adopt(entry.getValue(), group);
                }
            }
        }
        group.joined();
        return group;
    }

    public void release(SpreadGroup group) {
        Namespace space = namespaces.get(group.namespace());
        if (group.left() && space != null && space.groups.remove(group.selector(), group)) {
            space.sets.values().forEach(set -> set.groups.remove(group));
            dropIfEmpty(group.namespace(), space);
        }
    }

    private void dropIfEmpty(String namespace, Namespace space) {
        if (space.sets.isEmpty() && space.groups.isEmpty()) {
            namespaces.remove(namespace);
        }
    }

    private void adopt(LabelSet set, SpreadGroup group) {
        set.groups.add(group);
        set.counts.forEach((slot, count) -> group.add(slot, domainOfSlot.applyAsInt(slot), count));
    }

    private void count(int slot, Pod pod, int delta) {
        Namespace space = namespaces.computeIfAbsent(pod.namespace(), name -> new Namespace());
        LabelSet set = space.sets.get(pod.labels());
        if (set == null) {
            set = file(space, pod.labels());
        }
        set.counts.add(slot, delta);
        List<SpreadGroup> groups = set.groups;
        int domain = groups.isEmpty() ? 0 : domainOfSlot.applyAsInt(slot);
        for (int i = 0; i < groups.size(); i++) {
            groups.get(i).add(slot, domain, delta);
        }
        if (set.counts.total() == 0) {
            space.sets.remove(pod.labels());
            dropIfEmpty(pod.namespace(), space);
        }
    }

    private static LabelSet file(Namespace space, Labels labels) {
        LabelSet set = new LabelSet();
        for (SpreadGroup group : space.groups.values()) {
            if (group.selector().matches(labels)) {
                set.groups.add(group);
            }
        }
        space.sets.put(labels, set);
        return set;
    }
}
