package dev.berth.core.placement.spread;

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
 * The label sets and groups of one namespace. Both are found by a label they have or demand, so that neither a new group
 * nor a new label set is compared with all there are.
 */
final class Namespace {
    /** Labels that differ from pod to pod: nobody selects by them, and filing under them would cost much for nothing. */
    private static final Set<String> OF_ONE_POD = Set.of(
            "statefulset.kubernetes.io/pod-name",
            "apps.kubernetes.io/pod-index",
            "batch.kubernetes.io/job-completion-index");

    private record Label(String key, String value) {}

    private final Map<Labels, LabelSet> sets = new HashMap<>();
    private final Map<Label, Set<LabelSet>> setsByLabel = new HashMap<>();
    private final Map<LabelSelector, SpreadGroup> groups = new HashMap<>();
    private final Map<Label, List<SpreadGroup>> groupsByLabel = new HashMap<>();
    private final List<SpreadGroup> otherGroups = new ArrayList<>();

    boolean isEmpty() {
        return sets.isEmpty() && groups.isEmpty();
    }

    @Nullable
    SpreadGroup group(LabelSelector selector) {
        return groups.get(selector);
    }

    int groupCount() {
        return groups.size();
    }

    /** Adds the group and tells which label sets it matches. */
    List<LabelSet> add(SpreadGroup group) {
        groups.put(group.selector(), group);
        file(group);
        List<LabelSet> matched = new ArrayList<>();
        for (LabelSet set : candidates(group.selector())) {
            if (group.selector().matches(set.labels)) {
                set.groups.add(group);
                matched.add(set);
            }
        }
        return matched;
    }

    private void file(SpreadGroup group) {
        List<Label> demanded = demanded(group.selector());
        if (demanded.isEmpty()) {
            otherGroups.add(group);
        } else {
            groupsByLabel
                    .computeIfAbsent(demanded.get(0), label -> new ArrayList<>(1))
                    .add(group);
        }
    }

    void dropUnpinnedGroups() {
        groups.values().removeIf(group -> !group.pinned());
        groupsByLabel.values().forEach(filed -> filed.removeIf(group -> !group.pinned()));
        groupsByLabel.values().removeIf(List::isEmpty);
        otherGroups.removeIf(group -> !group.pinned());
        sets.values().forEach(set -> set.groups.removeIf(group -> !group.pinned()));
    }

    LabelSet set(Labels labels) {
        LabelSet known = sets.get(labels);
        if (known != null) {
            return known;
        }
        LabelSet set = new LabelSet(labels);
        sets.put(labels, set);
        for (Label label : labelsOf(labels)) {
            setsByLabel.computeIfAbsent(label, unknown -> new HashSet<>(2)).add(set);
            join(set, groupsByLabel.getOrDefault(label, List.of()));
        }
        join(set, otherGroups);
        return set;
    }

    private static void join(LabelSet set, List<SpreadGroup> candidates) {
        for (SpreadGroup group : candidates) {
            if (group.selector().matches(set.labels)) {
                set.groups.add(group);
            }
        }
    }

    void remove(LabelSet set) {
        sets.remove(set.labels);
        for (Label label : labelsOf(set.labels)) {
            Set<LabelSet> filed = setsByLabel.get(label);
            if (filed != null && filed.remove(set) && filed.isEmpty()) {
                setsByLabel.remove(label);
            }
        }
    }

    /** The label sets among which are all that the selector matches. */
    private Collection<LabelSet> candidates(LabelSelector selector) {
        Collection<LabelSet> fewest = sets.values();
        for (Label label : demanded(selector)) {
            Collection<LabelSet> filed = setsByLabel.getOrDefault(label, Set.of());
            fewest = filed.size() < fewest.size() ? filed : fewest;
        }
        return fewest;
    }

    private static List<Label> demanded(LabelSelector selector) {
        return labelsOf(selector.equal());
    }

    private static List<Label> labelsOf(Labels labels) {
        List<Label> list = new ArrayList<>(labels.size());
        labels.forEach((key, value) -> {
            if (!OF_ONE_POD.contains(key)) {
                list.add(new Label(key, value));
            }
        });
        return list;
    }
}
