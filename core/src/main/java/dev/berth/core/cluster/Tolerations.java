package dev.berth.core.cluster;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The tolerations of a pod. Of many, only those are looked up that could tolerate the taint. */
final class Tolerations {
    /** So few are compared one after the other. */
    private static final int FEW = 8;

    private final List<Toleration> list;
    private final Set<Toleration> known;

    Tolerations(List<Toleration> tolerations) {
        this.list = List.copyOf(tolerations);
        this.known = list.size() > FEW ? plain(list) : Set.of();
    }

    List<Toleration> list() {
        return list;
    }

    boolean tolerate(Taint taint) {
        if (list.size() > FEW) {
            return lists(taint, Optional.empty()) || lists(taint, Optional.of(taint.effect()));
        }
        for (Toleration toleration : list) {
            if (toleration.tolerates(taint)) {
                return true;
            }
        }
        return false;
    }

    private boolean lists(Taint taint, Optional<Taint.Effect> effect) {
        return known.contains(new Toleration("", Toleration.Operator.EXISTS, "", effect))
                || known.contains(new Toleration(taint.key(), Toleration.Operator.EXISTS, "", effect))
                || (!taint.key().isEmpty()
                        && known.contains(
                                new Toleration(taint.key(), Toleration.Operator.EQUAL, taint.value(), effect)));
    }

    private static Set<Toleration> plain(List<Toleration> tolerations) {
        return tolerations.stream().map(Tolerations::plain).collect(Collectors.toSet());
    }

    /** Without the value where it does not count. */
    private static Toleration plain(Toleration toleration) {
        return toleration.operator() == Toleration.Operator.EXISTS
                ? new Toleration(toleration.key(), Toleration.Operator.EXISTS, "", toleration.effect())
                : toleration;
    }
}
