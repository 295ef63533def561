package dev.berth.kubernetes.projection;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.PodAffinity;
import dev.berth.core.cluster.PodAffinityTerm;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.interning.LabelsInterner;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads {@code podAffinity} and {@code podAntiAffinity}; reused for each pod. {@code matchLabelKeys} and {@code
 * mismatchLabelKeys} are not read: the API server adds them to the selector when a pod is created.
 */
final class PodAffinityReader {
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

    private final LabelsInterner labels = new LabelsInterner();
    private final List<PodAffinityTerm> requiredAffinity = new ArrayList<>();
    private final List<PodAffinityTerm> requiredAntiAffinity = new ArrayList<>();
    private final List<PodAffinity.WeightedPodAffinityTerm> preferred = new ArrayList<>();

    void clear() {
        requiredAffinity.clear();
        requiredAntiAffinity.clear();
        preferred.clear();
    }

    PodAffinity podAffinity() {
        boolean none = requiredAffinity.isEmpty() && requiredAntiAffinity.isEmpty() && preferred.isEmpty();
        return none ? PodAffinity.NONE : new PodAffinity(requiredAffinity, requiredAntiAffinity, preferred);
    }

    /** The cursor is at the field {@code podAffinity}. */
    void readPodAffinity(Cursor in) {
        read(in, requiredAffinity, 1);
    }

    /** The cursor is at the field {@code podAntiAffinity}. */
    void readPodAntiAffinity(Cursor in) {
        read(in, requiredAntiAffinity, -1);
    }

    private void read(Cursor in, List<PodAffinityTerm> required, int sign) {
        in.enter();
        for (int field = in.nextField(TERMS); field != 0; field = in.nextField(TERMS)) {
            switch (field) {
                case 1 -> required.add(readTerm(in));
                case 2 -> preferred.add(readPreference(in, sign));
                default -> in.skip();
            }
        }
        in.leave();
    }

    private PodAffinity.WeightedPodAffinityTerm readPreference(Cursor in, int sign) {
        int weight = 0;
        Optional<PodAffinityTerm> term = Optional.empty();
        in.enter();
        for (int field = in.nextField(PREFERENCE); field != 0; field = in.nextField(PREFERENCE)) {
            switch (field) {
                case 1 -> weight = Math.toIntExact(in.number());
                case 2 -> term = Optional.of(readTerm(in));
                default -> in.skip();
            }
        }
        in.leave();
        return new PodAffinity.WeightedPodAffinityTerm(
                sign * weight,
                term.orElseThrow(
                        () -> new IllegalArgumentException("a preferred pod affinity term has no podAffinityTerm")));
    }

    private PodAffinityTerm readTerm(Cursor in) {
        Optional<LabelSelector> pods = Optional.empty();
        List<String> namespaces = new ArrayList<>(0);
        String topologyKey = "";
        Optional<LabelSelector> namespaceSelector = Optional.empty();
        in.enter();
        for (int field = in.nextField(TERM); field != 0; field = in.nextField(TERM)) {
            switch (field) {
                case 1 -> pods = Optional.of(SelectorReader.readLabelSelector(in, labels));
                case 2 -> namespaces.add(in.text());
                case 3 -> topologyKey = in.text();
                case 4 -> namespaceSelector = Optional.of(SelectorReader.readLabelSelector(in, labels));
                default -> in.skip();
            }
        }
        in.leave();
        return new PodAffinityTerm(topologyKey, pods, namespaces, namespaceSelector);
    }
}
