package dev.berth.core.cluster;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The tolerations of a pod. Where there are many, those that can tolerate a taint are looked up in a set. */
final class Tolerations {
    /** Up to this many are compared one after the other. */
    private static final int MAX_UNINDEXED = 8;

    private final List<Toleration> list;
    private final Set<Toleration> known;

    Tolerations(List<Toleration> tolerations) {
        this.list = List.copyOf(tolerations);
        this.known = list.size() > MAX_UNINDEXED ? normalized(list) : Set.of();
    }

    List<Toleration> list() {
        return list;
    }

    boolean tolerate(Taint taint) {
        if (list.size() > MAX_UNINDEXED) {
            return containsMatch(taint, Optional.empty()) || containsMatch(taint, Optional.of(taint.effect()));
        }
        for (Toleration toleration : list) {
            if (toleration.tolerates(taint)) {
                return true;
            }
        }
        return false;
    }

    private boolean containsMatch(Taint taint, Optional<Taint.TaintEffect> effect) {
        return known.contains(new Toleration("", Toleration.Operator.EXISTS, "", effect))
                || known.contains(new Toleration(taint.key(), Toleration.Operator.EXISTS, "", effect))
                || (!taint.key().isEmpty()
                        && known.contains(
                                new Toleration(taint.key(), Toleration.Operator.EQUAL, taint.value(), effect)));
    }

    private static Set<Toleration> normalized(List<Toleration> tolerations) {
        return tolerations.stream().map(Tolerations::normalized).collect(Collectors.toSet());
    }

    /** The toleration without its value where the operator ignores the value. */
    private static Toleration normalized(Toleration toleration) {
        return toleration.operator() == Toleration.Operator.EXISTS
                ? new Toleration(toleration.key(), Toleration.Operator.EXISTS, "", toleration.effect())
                : toleration;
    }
}
