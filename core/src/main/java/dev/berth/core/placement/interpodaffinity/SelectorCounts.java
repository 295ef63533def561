package dev.berth.core.placement.interpodaffinity;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
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
 * Counts the pods that are spoken of. Asleep until somebody speaks of any: as long as no pod demands anything of others,
 * their comings and goings cost nothing here. Selections that were not asked for lately are forgotten
 * beyond a number of them, and beyond what they take of memory together: pods may name many that select everybody.
 */
final class SelectorCounts {
    private static final int MAX_SELECTORS = 8192;
    private static final long MAX_INTS = 1024L * MAX_SELECTORS;

    /** All pods of a kin. */
    private static final class PodLabelSetCounts {
        final PodLabelSet podLabelSet;
        final SlotCounts counts = new SlotCounts();
        final List<SelectedPods> selectedPodses = new ArrayList<>(1);

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
    /** What the selections take together. */
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

    /** Counts the pod in or away, be it for a moment, and forgets nothing. */
    void addCount(int slot, Pod pod, int delta) {
        if (active) {
            count(slot, pod, delta);
        }
    }

    /** What namespaces are called is new: whoever asked for that is asked anew. */
    void namespacesChanged() {
        List<SelectedPods> outdated = bySelector.values().stream()
                .filter(selectedPods -> selectedPods.key.usesNamespaceLabels())
                .toList();
        if (!outdated.isEmpty()) {
            evict(outdated);
        }
    }

    /** The pods spoken of, as they are now; good for the decision at hand. */
    SelectedPods countsFor(PodSelectorKey podSelectorKey) {
        activate();
        SelectedPods known = bySelector.get(podSelectorKey);
        if (known != null) {
            return known;
        }
        while (bySelector.size() >= MAX_SELECTORS || (totalInts > MAX_INTS && !bySelector.isEmpty())) {
            evictOldest();
        }
        SelectedPods selectedPods = new SelectedPods(podSelectorKey);
        bySelector.put(podSelectorKey, selectedPods);
        index.add(podSelectorKey.selector(), selectedPods);
        for (PodLabelSetCounts podLabelSetCounts : candidateLabelSets(podSelectorKey)) {
            if (matches(selectedPods, podLabelSetCounts)) {
                podLabelSetCounts.selectedPodses.add(selectedPods);
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

    /** All in one walk over the families: each may be in thousands of selections. */
    private void evict(List<SelectedPods> some) {
        Set<SelectedPods> forgotten = Collections.newSetFromMap(new IdentityHashMap<>());
        forgotten.addAll(some);
        for (SelectedPods selectedPods : some) {
            bySelector.remove(selectedPods.key);
            index.remove(selectedPods.key.selector(), selectedPods);
            totalInts -= selectedPods.sizeInInts();
        }
        labelSets.values().forEach(podLabelSetCounts -> podLabelSetCounts.selectedPodses.removeIf(forgotten::contains));
    }

    private void count(int slot, Pod pod, int delta) {
        PodLabelSet podLabelSet = PodLabelSet.of(pod);
        PodLabelSetCounts known = labelSets.get(podLabelSet);
        PodLabelSetCounts podLabelSetCounts = known == null ? addLabelSet(podLabelSet) : known;
        podLabelSetCounts.counts.add(slot, delta);
        for (int i = 0; i < podLabelSetCounts.selectedPodses.size(); i++) {
            totalInts += podLabelSetCounts.selectedPodses.get(i).add(slot, delta);
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
                podLabelSetCounts.selectedPodses.add(selectedPods);
            }
        });
        return podLabelSetCounts;
    }

    private void removeLabelSet(PodLabelSetCounts podLabelSetCounts) {
        labelSets.remove(podLabelSetCounts.podLabelSet);
        for (SelectorIndex.Label label : SelectorIndex.labelsOf(podLabelSetCounts.podLabelSet.labels())) {
            labelSetsByLabel.computeIfPresent(label, (known, filedFamilies) -> {
                filedFamilies.remove(podLabelSetCounts);
                return filedFamilies.isEmpty() ? null : filedFamilies;
            });
        }
    }
}
