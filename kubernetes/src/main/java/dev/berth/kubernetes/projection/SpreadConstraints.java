package dev.berth.kubernetes.projection;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.neighbour.SpreadConstraint;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.sharing.LabelPool;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads {@code spec.topologySpreadConstraints}, one after the other. */
final class SpreadConstraints {
    private static final FieldNames FIELDS = FieldNames.none()
            .with(1, "maxSkew")
            .with(2, "topologyKey")
            .with(3, "whenUnsatisfiable")
            .with(4, "labelSelector")
            .with(5, "minDomains")
            .with(6, "nodeAffinityPolicy")
            .with(7, "nodeTaintsPolicy")
            .with(8, "matchLabelKeys");

    private final LabelPool labels = new LabelPool();
    private final List<SpreadConstraint> constraints = new ArrayList<>();

    void clear() {
        constraints.clear();
    }

    List<SpreadConstraint> constraints() {
        return constraints;
    }

    void read(Cursor in) {
        int maxSkew = 0;
        int minDomains = 1;
        String topologyKey = "";
        boolean required = true;
        Optional<LabelSelector> pods = Optional.empty();
        boolean affinity = SpreadConstraint.Heed.USUAL.affinity();
        boolean taints = SpreadConstraint.Heed.USUAL.taints();
        List<String> keys = new ArrayList<>(0);
        in.enter();
        for (int field = in.next(FIELDS); field != 0; field = in.next(FIELDS)) {
            switch (field) {
                case 1 -> maxSkew = Math.toIntExact(in.number());
                case 2 -> topologyKey = in.text();
                case 3 -> required = in.text().equals("DoNotSchedule");
                case 4 -> pods = Optional.of(Requirements.selector(in, labels));
                case 5 -> minDomains = Math.toIntExact(in.number());
                case 6 -> affinity = in.text().equals("Honor");
                case 7 -> taints = in.text().equals("Honor");
                case 8 -> keys.add(in.text());
                default -> in.skip();
            }
        }
        in.leave();
        SpreadConstraint.Heed heeds = new SpreadConstraint.Heed(affinity, taints);
        constraints.add(new SpreadConstraint(topologyKey, pods, required, maxSkew, minDomains, heeds, keys));
    }
}
