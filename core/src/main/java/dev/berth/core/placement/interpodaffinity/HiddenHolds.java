package dev.berth.core.placement.interpodaffinity;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.placement.interpodaffinity.AffinityTermIndex.TermCounts;
import dev.berth.core.placement.topologyspread.SlotCounts;
import dev.berth.core.placement.topologyspread.SpreadCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The holds that a pod does not see as neighbours, on any node: it may use them and will be in the place of one of them, or
 * it ignores Reservations. Valid until the ledger changes.
 */
public record HiddenHolds(List<HoldGroup> groups) {
    public static final HiddenHolds NONE = new HiddenHolds(List.of());

    public HiddenHolds {
        groups = List.copyOf(groups);
    }

    boolean isEmpty() {
        return groups.isEmpty();
    }

    /** The counts of those that the selector matches in the namespace. */
    public List<SpreadCounts> spreadCounts(String namespace, LabelSelector selector) {
        if (groups.isEmpty()) {
            return List.of();
        }
        List<SpreadCounts> counts = new ArrayList<>(1);
        for (HoldGroup group : groups) {
            if (group.podLabelSet().namespace().equals(namespace)
                    && selector.matches(group.podLabelSet().labels())) {
                counts.add(group.counts());
            }
        }
        return counts;
    }

    /** Visits the counts of those that the selector matches. */
    void forEachSelected(
            PodSelectorKey selector, Function<String, Labels> namespaceLabels, Consumer<SlotCounts> visitor) {
        for (HoldGroup group : groups) {
            if (selector.matches(
                    group.podLabelSet(),
                    namespaceLabels.apply(group.podLabelSet().namespace()))) {
                visitor.accept(group.counts().bySlot());
            }
        }
    }

    /** Visits the counts of those that have the term, once for each time that they have it. */
    void forEachWithTerm(TermCounts term, Consumer<SlotCounts> visitor) {
        for (HoldGroup group : groups) {
            for (int i = group.occurrencesOf(term.weightedTerm()); i > 0; i--) {
                visitor.accept(group.counts().bySlot());
            }
        }
    }
}
