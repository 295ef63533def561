package dev.berth.core.placement.neighbour;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.spread.SlotCounts;
import dev.berth.core.placement.table.NodeTable;
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
final class Crowd {
    private static final int SELECTIONS = 8192;
    private static final long INTS = 1024L * SELECTIONS;

    /** All pods of a kin. */
    private static final class Family {
        final Kin kin;
        final SlotCounts counts = new SlotCounts();
        final List<Selection> selections = new ArrayList<>(1);

        Family(Kin kin) {
            this.kin = kin;
        }
    }

    private final NodeTable table;
    private final Function<String, Labels> namespaceLabels;
    private final Map<Kin, Family> families = new HashMap<>();
    private final Map<Filed.Label, Set<Family>> familiesByLabel = new HashMap<>();
    private final Map<Whom, Selection> selections = new LinkedHashMap<>(16, 0.75f, true);
    private final Filed<Selection> filed = new Filed<>();
    private boolean awake;
    /** What the selections take together. */
    private long ints;

    Crowd(NodeTable table, Function<String, Labels> namespaceLabels) {
        this.table = table;
        this.namespaceLabels = namespaceLabels;
    }

    void arrived(int slot, Pod pod) {
        if (ints > INTS) {
            forgetOld();
        }
        think(slot, pod, 1);
    }

    void left(int slot, Pod pod) {
        think(slot, pod, -1);
    }

    /** Counts the pod in or away, be it for a moment, and forgets nothing. */
    void think(int slot, Pod pod, int delta) {
        if (awake) {
            count(slot, pod, delta);
        }
    }

    /** What namespaces are called is new: whoever asked for that is asked anew. */
    void namespacesChanged() {
        List<Selection> outdated = selections.values().stream()
                .filter(selection -> selection.whom.asksForNamespaces())
                .toList();
        if (!outdated.isEmpty()) {
            forget(outdated);
        }
    }

    /** The pods spoken of, as they are now; good for the decision at hand. */
    Selection select(Whom whom) {
        wake();
        Selection known = selections.get(whom);
        if (known != null) {
            return known;
        }
        while (selections.size() >= SELECTIONS || (ints > INTS && !selections.isEmpty())) {
            forgetOld();
        }
        Selection selection = new Selection(whom);
        selections.put(whom, selection);
        filed.add(whom.selector(), selection);
        for (Family family : candidates(whom)) {
            if (matches(selection, family)) {
                family.selections.add(selection);
                family.counts.forEach(selection.counts::add);
            }
        }
        ints += selection.ints();
        return selection;
    }

    private void wake() {
        if (!awake) {
            awake = true;
            for (int slot = 0; slot < table.bound(); slot++) {
                Optional<NodeState> state = table.state(slot);
                if (state.isPresent()) {
                    for (Pod pod : state.get().pods()) {
                        count(slot, pod, 1);
                    }
                }
            }
        }
    }

    private boolean matches(Selection selection, Family family) {
        Labels labels =
                selection.whom.asksForNamespaces() ? namespaceLabels.apply(family.kin.namespace()) : Labels.NONE;
        return selection.whom.matches(family.kin, labels);
    }

    private Collection<Family> candidates(Whom whom) {
        return whom.selector()
                .flatMap(Filed::demanded)
                .<Collection<Family>>map(label -> familiesByLabel.getOrDefault(label, Set.of()))
                .orElse(families.values());
    }

    private void forgetOld() {
        forget(selections.values().stream()
                .limit(Math.max(1, selections.size() / 4))
                .toList());
    }

    /** All in one walk over the families: each may be in thousands of selections. */
    private void forget(List<Selection> some) {
        Set<Selection> forgotten = Collections.newSetFromMap(new IdentityHashMap<>());
        forgotten.addAll(some);
        for (Selection selection : some) {
            selections.remove(selection.whom);
            filed.remove(selection.whom.selector(), selection);
            ints -= selection.ints();
        }
        families.values().forEach(family -> family.selections.removeIf(forgotten::contains));
    }

    private void count(int slot, Pod pod, int delta) {
        Kin kin = Kin.of(pod);
        Family known = families.get(kin);
        Family family = known == null ? open(kin) : known;
        family.counts.add(slot, delta);
        for (int i = 0; i < family.selections.size(); i++) {
            ints += family.selections.get(i).add(slot, delta);
        }
        if (family.counts.total() == 0) {
            close(family);
        }
    }

    private Family open(Kin kin) {
        Family family = new Family(kin);
        families.put(kin, family);
        for (Filed.Label label : Filed.labelsOf(kin.labels())) {
            familiesByLabel
                    .computeIfAbsent(label, unknown -> new LinkedHashSet<>(2))
                    .add(family);
        }
        filed.forEachCandidate(kin.labels(), selection -> {
            if (matches(selection, family)) {
                family.selections.add(selection);
            }
        });
        return family;
    }

    private void close(Family family) {
        families.remove(family.kin);
        for (Filed.Label label : Filed.labelsOf(family.kin.labels())) {
            familiesByLabel.computeIfPresent(label, (known, filedFamilies) -> {
                filedFamilies.remove(family);
                return filedFamilies.isEmpty() ? null : filedFamilies;
            });
        }
    }
}
