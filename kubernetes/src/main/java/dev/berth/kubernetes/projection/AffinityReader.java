package dev.berth.kubernetes.projection;

import dev.berth.core.cluster.NodeAffinity;
import dev.berth.core.cluster.NodeSelectorTerm;
import dev.berth.core.cluster.PodAffinity;
import dev.berth.core.cluster.Requirement;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads {@code spec.affinity}. */
public final class AffinityReader {
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

    private Optional<List<NodeSelectorTerm>> requiredNodeTerms = Optional.empty();
    private final List<NodeAffinity.PreferredSchedulingTerm> preferredNodeTerms = new ArrayList<>();
    private final PodAffinityReader podAffinityReader = new PodAffinityReader();

    void clear() {
        requiredNodeTerms = Optional.empty();
        preferredNodeTerms.clear();
        podAffinityReader.clear();
    }

    Optional<List<NodeSelectorTerm>> requiredNodeTerms() {
        return requiredNodeTerms;
    }

    List<NodeAffinity.PreferredSchedulingTerm> preferredNodeTerms() {
        return preferredNodeTerms;
    }

    PodAffinity podAffinity() {
        return podAffinityReader.podAffinity();
    }

    void read(Cursor in) {
        in.enter();
        for (int field = in.nextField(AFFINITY); field != 0; field = in.nextField(AFFINITY)) {
            switch (field) {
                case 1 -> readNodeAffinity(in);
                case 2 -> podAffinityReader.readPodAffinity(in);
                case 3 -> podAffinityReader.readPodAntiAffinity(in);
                default -> in.skip();
            }
        }
        in.leave();
    }

    private void readNodeAffinity(Cursor in) {
        in.enter();
        for (int field = in.nextField(TERMS); field != 0; field = in.nextField(TERMS)) {
            switch (field) {
                case 1 -> requiredNodeTerms = Optional.of(readNodeSelectorTerms(in));
                case 2 -> preferredNodeTerms.add(readPreference(in));
                default -> in.skip();
            }
        }
        in.leave();
    }

    /** The cursor is at a node selector field: reads its terms, of which one must match. */
    public static List<NodeSelectorTerm> readNodeSelectorTerms(Cursor in) {
        List<NodeSelectorTerm> terms = new ArrayList<>();
        in.enter();
        for (int field = in.nextField(SELECTOR); field != 0; field = in.nextField(SELECTOR)) {
            if (field == 1) {
                terms.add(readTerm(in));
            } else {
                in.skip();
            }
        }
        in.leave();
        return terms;
    }

    private static NodeAffinity.PreferredSchedulingTerm readPreference(Cursor in) {
        int weight = 0;
        NodeSelectorTerm term = new NodeSelectorTerm(List.of(), List.of());
        in.enter();
        for (int field = in.nextField(PREFERENCE); field != 0; field = in.nextField(PREFERENCE)) {
            switch (field) {
                case 1 -> weight = Math.toIntExact(in.number());
                case 2 -> term = readTerm(in);
                default -> in.skip();
            }
        }
        in.leave();
        return new NodeAffinity.PreferredSchedulingTerm(weight, term);
    }

    private static NodeSelectorTerm readTerm(Cursor in) {
        List<Requirement> labels = new ArrayList<>();
        List<Requirement> fields = new ArrayList<>();
        in.enter();
        for (int field = in.nextField(TERM); field != 0; field = in.nextField(TERM)) {
            switch (field) {
                case 1 -> labels.add(SelectorReader.readRequirement(in));
                case 2 -> fields.add(SelectorReader.readRequirement(in));
                default -> in.skip();
            }
        }
        in.leave();
        return new NodeSelectorTerm(labels, fields);
    }
}
