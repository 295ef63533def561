package dev.berth.kubernetes.preemption;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.preemption.PodDisruptionBudget;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.cursor.MalformedObjectException;
import dev.berth.kubernetes.interning.LabelsInterner;
import dev.berth.kubernetes.projection.ObjectMeta;
import dev.berth.kubernetes.projection.Projection;
import dev.berth.kubernetes.projection.ReadResult;
import dev.berth.kubernetes.projection.SelectorReader;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Reads PodDisruptionBudgets. */
final class PodDisruptionBudgetProjection implements Projection<PodDisruptionBudget> {
    private static final FieldNames OBJECT =
            FieldNames.none().with(1, "metadata").with(2, "spec").with(3, "status");
    private static final FieldNames SPEC = FieldNames.none().with(2, "selector");
    private static final FieldNames STATUS =
            FieldNames.none().withMap(2, "disruptedPods").with(3, "disruptionsAllowed");

    private final ObjectMeta meta = new ObjectMeta(annotation -> false);
    private final LabelsInterner labels = new LabelsInterner();
    private final Set<String> disrupted = new TreeSet<>();
    private Optional<LabelSelector> selector = Optional.empty();
    private int allowed;

    @Override
    public ReadResult<PodDisruptionBudget> read(Cursor in) {
        meta.clear();
        disrupted.clear();
        selector = Optional.empty();
        allowed = 0;
        try {
            for (int field = in.nextField(OBJECT); field != 0; field = in.nextField(OBJECT)) {
                switch (field) {
                    case 1 -> meta.read(in);
                    case 2 -> spec(in);
                    case 3 -> status(in);
                    default -> in.skip();
                }
            }
            return ReadResult.readable(
                    meta, new PodDisruptionBudget(meta.uid(), meta.namespace(), selector, allowed, disrupted));
        } catch (MalformedObjectException | IllegalArgumentException malformed) {
            return ReadResult.unreadable(meta, "poddisruptionbudget", malformed);
        }
    }

    /** As in kube-scheduler, an empty selector protects no pod. */
    private void spec(Cursor in) {
        in.enter();
        for (int field = in.nextField(SPEC); field != 0; field = in.nextField(SPEC)) {
            if (field == 2) {
                selector = Optional.of(SelectorReader.readLabelSelector(in, labels))
                        .filter(it -> !it.isEmpty());
            } else {
                in.skip();
            }
        }
        in.leave();
    }

    private void status(Cursor in) {
        in.enter();
        for (int field = in.nextField(STATUS); field != 0; field = in.nextField(STATUS)) {
            switch (field) {
                case 2 -> disrupted.add(in.mapKey());
                case 3 -> allowed = (int) in.number();
                default -> in.skip();
            }
        }
        in.leave();
    }
}
