package dev.berth.kubernetes.door.preemption;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.door.preemption.Budget;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.cursor.MalformedObject;
import dev.berth.kubernetes.projection.Meta;
import dev.berth.kubernetes.projection.Projection;
import dev.berth.kubernetes.projection.Requirements;
import dev.berth.kubernetes.projection.Seen;
import dev.berth.kubernetes.sharing.LabelPool;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Reads PodDisruptionBudgets. */
final class BudgetProjection implements Projection<Budget> {
    private static final FieldNames OBJECT =
            FieldNames.none().with(1, "metadata").with(2, "spec").with(3, "status");
    private static final FieldNames SPEC = FieldNames.none().with(2, "selector");
    private static final FieldNames STATUS =
            FieldNames.none().withMap(2, "disruptedPods").with(3, "disruptionsAllowed");

    private final Meta meta = new Meta(annotation -> false);
    private final LabelPool labels = new LabelPool();
    private final Set<String> disrupted = new TreeSet<>();
    private Optional<LabelSelector> selector = Optional.empty();
    private int allowed;

    @Override
    public Seen<Budget> read(Cursor in) {
        meta.clear();
        disrupted.clear();
        selector = Optional.empty();
        allowed = 0;
        try {
            for (int field = in.next(OBJECT); field != 0; field = in.next(OBJECT)) {
                switch (field) {
                    case 1 -> meta.read(in);
                    case 2 -> spec(in);
                    case 3 -> status(in);
                    default -> in.skip();
                }
            }
            return Seen.readable(meta, new Budget(meta.uid(), meta.namespace(), selector, allowed, disrupted));
        } catch (MalformedObject | IllegalArgumentException malformed) {
            return Seen.unreadable(meta, "poddisruptionbudget", malformed);
        }
    }

    /** To kube-scheduler an empty selector protects nobody. */
    private void spec(Cursor in) {
        in.enter();
        for (int field = in.next(SPEC); field != 0; field = in.next(SPEC)) {
            if (field == 2) {
                selector = Optional.of(Requirements.selector(in, labels)).filter(it -> !it.isEmpty());
            } else {
                in.skip();
            }
        }
        in.leave();
    }

    private void status(Cursor in) {
        in.enter();
        for (int field = in.next(STATUS); field != 0; field = in.next(STATUS)) {
            switch (field) {
                case 2 -> disrupted.add(in.key());
                case 3 -> allowed = (int) in.number();
                default -> in.skip();
            }
        }
        in.leave();
    }
}
