package dev.berth.kubernetes.projection;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.TopologySpreadConstraint;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.interning.LabelsInterner;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads {@code spec.topologySpreadConstraints}. */
final class TopologySpreadReader {
    private static final FieldNames FIELDS = FieldNames.none()
            .with(1, "maxSkew")
            .with(2, "topologyKey")
            .with(3, "whenUnsatisfiable")
            .with(4, "labelSelector")
            .with(5, "minDomains")
            .with(6, "nodeAffinityPolicy")
            .with(7, "nodeTaintsPolicy")
            .with(8, "matchLabelKeys");

    private final LabelsInterner labels = new LabelsInterner();
    private final List<TopologySpreadConstraint> constraints = new ArrayList<>();

    void clear() {
        constraints.clear();
    }

    List<TopologySpreadConstraint> constraints() {
        return constraints;
    }

    void read(Cursor in) {
        int maxSkew = 0;
        int minDomains = 1;
        String topologyKey = "";
        boolean required = true;
        Optional<LabelSelector> pods = Optional.empty();
        boolean affinity = TopologySpreadConstraint.NodeInclusionPolicy.DEFAULT.honorAffinity();
        boolean taints = TopologySpreadConstraint.NodeInclusionPolicy.DEFAULT.honorTaints();
        List<String> keys = new ArrayList<>(0);
        in.enter();
        for (int field = in.nextField(FIELDS); field != 0; field = in.nextField(FIELDS)) {
            switch (field) {
                case 1 -> maxSkew = Math.toIntExact(in.number());
                case 2 -> topologyKey = in.text();
                case 3 -> required = in.text().equals("DoNotSchedule");
                case 4 -> pods = Optional.of(SelectorReader.readLabelSelector(in, labels));
                case 5 -> minDomains = Math.toIntExact(in.number());
                case 6 -> affinity = in.text().equals("Honor");
                case 7 -> taints = in.text().equals("Honor");
                case 8 -> keys.add(in.text());
                default -> in.skip();
            }
        }
        in.leave();
        TopologySpreadConstraint.NodeInclusionPolicy nodeInclusionPolicies =
                new TopologySpreadConstraint.NodeInclusionPolicy(affinity, taints);
        constraints.add(new TopologySpreadConstraint(
                topologyKey, pods, required, maxSkew, minDomains, nodeInclusionPolicies, keys));
    }
}
