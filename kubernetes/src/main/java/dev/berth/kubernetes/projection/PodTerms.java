package dev.berth.kubernetes.projection;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.neighbour.PodAffinity;
import dev.berth.core.cluster.neighbour.PodTerm;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.sharing.LabelPool;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What {@code spec.affinity} says of other pods; read anew for each pod. Of {@code matchLabelKeys} and
 * {@code mismatchLabelKeys} nothing is read: the API server puts what they mean into the selector when a pod is made.
 */
final class PodTerms {
    private static final FieldNames TERMS = FieldNames.none()
            .with(1, "requiredDuringSchedulingIgnoredDuringExecution")
            .with(2, "preferredDuringSchedulingIgnoredDuringExecution");
    private static final FieldNames TERM = FieldNames.none()
            .with(1, "labelSelector")
            .with(2, "namespaces")
            .with(3, "topologyKey")
            .with(4, "namespaceSelector");
    private static final FieldNames PREFERENCE =
            FieldNames.none().with(1, "weight").with(2, "podAffinityTerm");

    private final LabelPool labels = new LabelPool();
    private final List<PodTerm> near = new ArrayList<>();
    private final List<PodTerm> apart = new ArrayList<>();
    private final List<PodAffinity.Preference> preferred = new ArrayList<>();

    void clear() {
        near.clear();
        apart.clear();
        preferred.clear();
    }

    PodAffinity affinity() {
        boolean none = near.isEmpty() && apart.isEmpty() && preferred.isEmpty();
        return none ? PodAffinity.NONE : new PodAffinity(near, apart, preferred);
    }

    /** The cursor is at the field of the pods to be near to. */
    void readNear(Cursor in) {
        read(in, near, 1);
    }

    /** The cursor is at the field of the pods to be apart from. */
    void readApart(Cursor in) {
        read(in, apart, -1);
    }

    private void read(Cursor in, List<PodTerm> required, int sign) {
        in.enter();
        for (int field = in.next(TERMS); field != 0; field = in.next(TERMS)) {
            switch (field) {
                case 1 -> required.add(term(in));
                case 2 -> preferred.add(preference(in, sign));
                default -> in.skip();
            }
        }
        in.leave();
    }

    private PodAffinity.Preference preference(Cursor in, int sign) {
        int weight = 0;
        Optional<PodTerm> term = Optional.empty();
        in.enter();
        for (int field = in.next(PREFERENCE); field != 0; field = in.next(PREFERENCE)) {
            switch (field) {
                case 1 -> weight = Math.toIntExact(in.number());
                case 2 -> term = Optional.of(term(in));
                default -> in.skip();
            }
        }
        in.leave();
        return new PodAffinity.Preference(
                sign * weight,
                term.orElseThrow(() -> new IllegalArgumentException("a preference of pods has no podAffinityTerm")));
    }

    private PodTerm term(Cursor in) {
        Optional<LabelSelector> pods = Optional.empty();
        List<String> namespaces = new ArrayList<>(0);
        String topologyKey = "";
        Optional<LabelSelector> namespaceSelector = Optional.empty();
        in.enter();
        for (int field = in.next(TERM); field != 0; field = in.next(TERM)) {
            switch (field) {
                case 1 -> pods = Optional.of(Requirements.selector(in, labels));
                case 2 -> namespaces.add(in.text());
                case 3 -> topologyKey = in.text();
                case 4 -> namespaceSelector = Optional.of(Requirements.selector(in, labels));
                default -> in.skip();
            }
        }
        in.leave();
        return new PodTerm(topologyKey, pods, namespaces, namespaceSelector);
    }
}
