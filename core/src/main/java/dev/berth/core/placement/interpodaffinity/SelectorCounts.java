package dev.berth.core.placement.interpodaffinity;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.Hold;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.table.NodeTable;
import dev.berth.core.placement.topologyspread.SlotCounts;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Counts the pods that selectors match. Inactive until the first selector is requested: while no pod has a constraint,
 * other pods cost nothing here. The least recently used selectors are evicted beyond a limit of their number and of
 * their memory: pods may have many selectors that match every pod.
 */
final class SelectorCounts {
    private static final int MAX_SELECTORS = 8192;
    private static final long MAX_INTS = 1024L * MAX_SELECTORS;

    /** All pods of a label set. */
    private static final class PodLabelSetCounts {
        final PodLabelSet podLabelSet;
        final SlotCounts counts = new SlotCounts();
        final List<SelectedPods> selections = new ArrayList<>(1);

        PodLabelSetCounts(PodLabelSet podLabelSet) {
            this.podLabelSet = podLabelSet;
        }
    }

    private final NodeTable table;
    private final Function<String, Labels> namespaceLabels;
    private final Map<PodLabelSet, PodLabelSetCounts> labelSets = new HashMap<>();
    private final Map<SelectorIndex.Label, Set<PodLabelSetCounts>> labelSetsByLabel = new HashMap<>();
    private final Map<PodSelectorKey, SelectedPods> bySelector = new LinkedHashMap<>(16, 0.75f, true);
    private final SelectorIndex<SelectedPods> index = new SelectorIndex<>();
    private boolean active;
    /** The size of all selectors in ints. */
    private long totalInts;

    SelectorCounts(NodeTable table, Function<String, Labels> namespaceLabels) {
        this.table = table;
        this.namespaceLabels = namespaceLabels;
    }

    void onPodAdded(int slot, Pod pod) {
        if (totalInts > MAX_INTS) {
            evictOldest();
        }
        addCount(slot, pod, 1);
    }

    void onPodRemoved(int slot, Pod pod) {
        addCount(slot, pod, -1);
    }

    /** Adds the pod to the counts or removes it, maybe for a simulation. Evicts nothing. */
    void addCount(int slot, Pod pod, int delta) {
        if (active) {
            count(slot, pod, delta);
        }
    }

    /** Labels of namespaces changed: selectors that read them are dropped. */
    void namespacesChanged() {
        List<SelectedPods> outdated = bySelector.values().stream()
                .filter(selectedPods -> selectedPods.key.usesNamespaceLabels())
                .toList();
        if (!outdated.isEmpty()) {
            evict(outdated);
        }
    }

    /** The present counts of the selected pods; valid for this decision. */
    SelectedPods countsFor(PodSelectorKey podSelectorKey) {
        activate();
        SelectedPods existing = bySelector.get(podSelectorKey);
        if (existing != null) {
            return existing;
        }
        while (bySelector.size() >= MAX_SELECTORS || (totalInts > MAX_INTS && !bySelector.isEmpty())) {
            evictOldest();
        }
        SelectedPods selectedPods = new SelectedPods(podSelectorKey);
        bySelector.put(podSelectorKey, selectedPods);
        index.add(podSelectorKey.selector(), selectedPods);
        for (PodLabelSetCounts podLabelSetCounts : candidateLabelSets(podSelectorKey)) {
            if (matches(selectedPods, podLabelSetCounts)) {
                podLabelSetCounts.selections.add(selectedPods);
                podLabelSetCounts.counts.forEach(selectedPods.counts::add);
            }
        }
        totalInts += selectedPods.sizeInInts();
        return selectedPods;
    }

    private void activate() {
        if (!active) {
            active = true;
            for (int slot = 0; slot < table.slotBound(); slot++) {
                Optional<NodeState> state = table.stateAt(slot);
                if (state.isPresent()) {
                    for (Pod pod : state.get().pods()) {
                        count(slot, pod, 1);
                    }
                    for (Hold hold : state.get().neighbours()) {
                        count(slot, hold.neighbour().orElseThrow(), 1);
                    }
                }
            }
        }
    }

    private boolean matches(SelectedPods selectedPods, PodLabelSetCounts podLabelSetCounts) {
        Labels labels = selectedPods.key.usesNamespaceLabels()
                ? namespaceLabels.apply(podLabelSetCounts.podLabelSet.namespace())
                : Labels.NONE;
        return selectedPods.key.matches(podLabelSetCounts.podLabelSet, labels);
    }

    private Collection<PodLabelSetCounts> candidateLabelSets(PodSelectorKey podSelectorKey) {
        return podSelectorKey
                .selector()
                .flatMap(SelectorIndex::requiredLabel)
                .<Collection<PodLabelSetCounts>>map(label -> labelSetsByLabel.getOrDefault(label, Set.of()))
                .orElse(labelSets.values());
    }

    private void evictOldest() {
        evict(bySelector.values().stream()
                .limit(Math.max(1, bySelector.size() / 4))
                .toList());
    }

    /** Evicts all of them in one pass over the label sets: each selector may match thousands of label sets. */
    private void evict(List<SelectedPods> some) {
        Set<SelectedPods> forgotten = Collections.newSetFromMap(new IdentityHashMap<>());
        forgotten.addAll(some);
        for (SelectedPods selectedPods : some) {
            bySelector.remove(selectedPods.key);
            index.remove(selectedPods.key.selector(), selectedPods);
            totalInts -= selectedPods.sizeInInts();
        }
        labelSets.values().forEach(podLabelSetCounts -> podLabelSetCounts.selections.removeIf(forgotten::contains));
    }

    private void count(int slot, Pod pod, int delta) {
        PodLabelSet podLabelSet = PodLabelSet.of(pod);
        PodLabelSetCounts existing = labelSets.get(podLabelSet);
        PodLabelSetCounts podLabelSetCounts = existing == null ? addLabelSet(podLabelSet) : existing;
        podLabelSetCounts.counts.add(slot, delta);
        for (int i = 0; i < podLabelSetCounts.selections.size(); i++) {
            totalInts += podLabelSetCounts.selections.get(i).add(slot, delta);
        }
        if (podLabelSetCounts.counts.total() == 0) {
            removeLabelSet(podLabelSetCounts);
        }
    }

    private PodLabelSetCounts addLabelSet(PodLabelSet podLabelSet) {
        PodLabelSetCounts podLabelSetCounts = new PodLabelSetCounts(podLabelSet);
        labelSets.put(podLabelSet, podLabelSetCounts);
        for (SelectorIndex.Label label : SelectorIndex.labelsOf(podLabelSet.labels())) {
            labelSetsByLabel
                    .computeIfAbsent(label, unknown -> new LinkedHashSet<>(2))
                    .add(podLabelSetCounts);
        }
        index.forEachCandidate(podLabelSet.labels(), selectedPods -> {
            if (matches(selectedPods, podLabelSetCounts)) {
                podLabelSetCounts.selections.add(selectedPods);
            }
        });
        return podLabelSetCounts;
    }

    private void removeLabelSet(PodLabelSetCounts podLabelSetCounts) {
        labelSets.remove(podLabelSetCounts.podLabelSet);
        for (SelectorIndex.Label label : SelectorIndex.labelsOf(podLabelSetCounts.podLabelSet.labels())) {
            labelSetsByLabel.computeIfPresent(label, (key, labelSetCounts) -> {
                labelSetCounts.remove(podLabelSetCounts);
                return labelSetCounts.isEmpty() ? null : labelSetCounts;
            });
        }
    }
}
