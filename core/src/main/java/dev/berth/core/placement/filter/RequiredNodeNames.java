package dev.berth.core.placement.filter;

import dev.berth.core.cluster.NodeAffinity;
import dev.berth.core.cluster.NodeSelectorTerm;
import dev.berth.core.cluster.Requirement;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The node names that a pod's required node affinity terms contain, if every term contains some. Then no other node is
 * filtered. Pods of a DaemonSet are placed in this way.
 */
public final class RequiredNodeNames {
    /** No names are required. */
    public static final RequiredNodeNames UNRESTRICTED = new RequiredNodeNames(Optional.empty());

    private final Optional<NavigableSet<String>> names;

    private RequiredNodeNames(Optional<NavigableSet<String>> names) {
        this.names = names;
    }

    public static RequiredNodeNames of(NodeAffinity affinity) {
        if (affinity.required().isEmpty() || affinity.required().get().isEmpty()) {
            return UNRESTRICTED;
        }
        NavigableSet<String> all = new TreeSet<>();
        for (NodeSelectorTerm term : affinity.required().get()) {
            Optional<NavigableSet<String>> named = namesOf(term);
            if (named.isEmpty()) {
                return UNRESTRICTED;
            }
            all.addAll(named.get());
        }
        return new RequiredNodeNames(Optional.of(all));
    }

    /** The names that all requirements of the term on {@code metadata.name} allow together. */
    private static Optional<NavigableSet<String>> namesOf(NodeSelectorTerm term) {
        Optional<NavigableSet<String>> named = Optional.empty();
        for (Requirement field : term.fields()) {
            if (field.key().equals(NodeSelectorTerm.NAME_FIELD) && field.operator() == Requirement.Operator.IN) {
                NavigableSet<String> values = new TreeSet<>(field.values());
                named.ifPresent(values::retainAll);
                named = Optional.of(values);
            }
        }
        return named;
    }

    public boolean excludes(String node) {
        return names.isPresent() && !names.get().contains(node);
    }

    /** Whether the terms contradict themselves, so that no node can match. */
    public boolean isContradictory() {
        return names.isPresent() && names.get().isEmpty();
    }

    /** Empty if any node may match. */
    public Optional<List<String>> names() {
        return names.map(List::copyOf);
    }
}
