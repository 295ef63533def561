package dev.berth.core.placement.topologyspread;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The label sets and groups of one namespace. Both are indexed by a label that they have or require. So neither a new
 * group nor a new label set is compared with all others.
 */
final class NamespaceSpreadIndex {
    /** Labels that differ from pod to pod. Selectors do not use them, and an index by them would be large. */
    private static final Set<String> UNIQUE_PER_POD = Set.of(
            "statefulset.kubernetes.io/pod-name",
            "apps.kubernetes.io/pod-index",
            "batch.kubernetes.io/job-completion-index");

    private record Label(String key, String value) {}

    private final Map<Labels, LabelSetCounts> sets = new HashMap<>();
    private final Map<Label, Set<LabelSetCounts>> setsByLabel = new HashMap<>();
    private final Map<LabelSelector, SpreadGroup> groups = new HashMap<>();
    private final Map<Label, List<SpreadGroup>> groupsByLabel = new HashMap<>();
    private final List<SpreadGroup> otherGroups = new ArrayList<>();

    boolean isEmpty() {
        return sets.isEmpty() && groups.isEmpty();
    }

    @Nullable
    SpreadGroup findGroup(LabelSelector selector) {
        return groups.get(selector);
    }

    int groupCount() {
        return groups.size();
    }

    /** Adds the group and returns the label sets that it matches. */
    List<LabelSetCounts> addGroup(SpreadGroup group) {
        groups.put(group.selector(), group);
        indexGroup(group);
        List<LabelSetCounts> matched = new ArrayList<>();
        for (LabelSetCounts set : candidates(group.selector())) {
            if (group.selector().matches(set.labels)) {
                set.groups.add(group);
                matched.add(set);
            }
        }
        return matched;
    }

    private void indexGroup(SpreadGroup group) {
        List<Label> demanded = requiredLabels(group.selector());
        if (demanded.isEmpty()) {
            otherGroups.add(group);
        } else {
            groupsByLabel
                    .computeIfAbsent(demanded.get(0), label -> new ArrayList<>(1))
                    .add(group);
        }
    }

    void dropUnpinnedGroups() {
        groups.values().removeIf(group -> !group.isPinned());
        groupsByLabel.values().forEach(indexed -> indexed.removeIf(group -> !group.isPinned()));
        groupsByLabel.values().removeIf(List::isEmpty);
        otherGroups.removeIf(group -> !group.isPinned());
        sets.values().forEach(set -> set.groups.removeIf(group -> !group.isPinned()));
    }

    LabelSetCounts findOrAddLabelSet(Labels labels) {
        LabelSetCounts existing = sets.get(labels);
        if (existing != null) {
            return existing;
        }
        LabelSetCounts set = new LabelSetCounts(labels);
        sets.put(labels, set);
        for (Label label : labelsOf(labels)) {
            setsByLabel.computeIfAbsent(label, unknown -> new HashSet<>(2)).add(set);
            addMatchingGroups(set, groupsByLabel.getOrDefault(label, List.of()));
        }
        addMatchingGroups(set, otherGroups);
        return set;
    }

    private static void addMatchingGroups(LabelSetCounts set, List<SpreadGroup> candidates) {
        for (SpreadGroup group : candidates) {
            if (group.selector().matches(set.labels)) {
                set.groups.add(group);
            }
        }
    }

    void removeLabelSet(LabelSetCounts set) {
        sets.remove(set.labels);
        for (Label label : labelsOf(set.labels)) {
            Set<LabelSetCounts> indexed = setsByLabel.get(label);
            if (indexed != null && indexed.remove(set) && indexed.isEmpty()) {
                setsByLabel.remove(label);
            }
        }
    }

    /** The label sets that the selector may match. */
    private Collection<LabelSetCounts> candidates(LabelSelector selector) {
        Collection<LabelSetCounts> fewest = sets.values();
        for (Label label : requiredLabels(selector)) {
            Collection<LabelSetCounts> indexed = setsByLabel.getOrDefault(label, Set.of());
            fewest = indexed.size() < fewest.size() ? indexed : fewest;
        }
        return fewest;
    }

    private static List<Label> requiredLabels(LabelSelector selector) {
        return labelsOf(selector.matchLabels());
    }

    private static List<Label> labelsOf(Labels labels) {
        List<Label> list = new ArrayList<>(labels.size());
        labels.forEach((key, value) -> {
            if (!UNIQUE_PER_POD.contains(key)) {
                list.add(new Label(key, value));
            }
        });
        return list;
    }
}
