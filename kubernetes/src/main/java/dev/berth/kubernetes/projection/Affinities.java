package dev.berth.kubernetes.projection;

import dev.berth.core.cluster.NodeAffinity;
import dev.berth.core.cluster.NodeTerm;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.cluster.neighbour.PodAffinity;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What {@code spec.affinity} says of nodes and of other pods. */
public final class Affinities {
    private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
    private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";
    private static final FieldNames AFFINITY =
            FieldNames.none().with(1, "nodeAffinity").with(2, "podAffinity").with(3, "podAntiAffinity");
    private static final FieldNames TERMS = FieldNames.none().with(1, REQUIRED).with(2, PREFERRED);
    private static final FieldNames SELECTOR = FieldNames.none().with(1, "nodeSelectorTerms");
    private static final FieldNames TERM =
            FieldNames.none().with(1, "matchExpressions").with(2, "matchFields");
    private static final FieldNames PREFERENCE =
            FieldNames.none().with(1, "weight").with(2, "preference");

    private Optional<List<NodeTerm>> required = Optional.empty();
    private final List<NodeAffinity.Preference> preferred = new ArrayList<>();
    private final PodTerms pods = new PodTerms();

    void clear() {
        required = Optional.empty();
        preferred.clear();
        pods.clear();
    }

    Optional<List<NodeTerm>> required() {
        return required;
    }

    List<NodeAffinity.Preference> preferred() {
        return preferred;
    }

    PodAffinity ofPods() {
        return pods.affinity();
    }

    void read(Cursor in) {
        in.enter();
        for (int field = in.next(AFFINITY); field != 0; field = in.next(AFFINITY)) {
            switch (field) {
                case 1 -> nodes(in);
                case 2 -> pods.readNear(in);
                case 3 -> pods.readApart(in);
                default -> in.skip();
            }
        }
        in.leave();
    }

    private void nodes(Cursor in) {
        in.enter();
        for (int field = in.next(TERMS); field != 0; field = in.next(TERMS)) {
            switch (field) {
                case 1 -> required = Optional.of(terms(in));
                case 2 -> preferred.add(preference(in));
                default -> in.skip();
            }
        }
        in.leave();
    }

    /** The cursor is at a field that is a selector of nodes: its terms, of which one must match. */
    public static List<NodeTerm> terms(Cursor in) {
        List<NodeTerm> terms = new ArrayList<>();
        in.enter();
        for (int field = in.next(SELECTOR); field != 0; field = in.next(SELECTOR)) {
            if (field == 1) {
                terms.add(term(in));
            } else {
                in.skip();
            }
        }
        in.leave();
        return terms;
    }

    private static NodeAffinity.Preference preference(Cursor in) {
        int weight = 0;
        NodeTerm term = new NodeTerm(List.of(), List.of());
        in.enter();
        for (int field = in.next(PREFERENCE); field != 0; field = in.next(PREFERENCE)) {
            switch (field) {
                case 1 -> weight = Math.toIntExact(in.number());
                case 2 -> term = term(in);
                default -> in.skip();
            }
        }
        in.leave();
        return new NodeAffinity.Preference(weight, term);
    }

    private static NodeTerm term(Cursor in) {
        List<Requirement> labels = new ArrayList<>();
        List<Requirement> fields = new ArrayList<>();
        in.enter();
        for (int field = in.next(TERM); field != 0; field = in.next(TERM)) {
            switch (field) {
                case 1 -> labels.add(Requirements.read(in));
                case 2 -> fields.add(Requirements.read(in));
                default -> in.skip();
            }
        }
        in.leave();
        return new NodeTerm(labels, fields);
    }
}
