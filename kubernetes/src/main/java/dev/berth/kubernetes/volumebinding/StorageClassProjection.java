package dev.berth.kubernetes.volumebinding;

import dev.berth.core.cluster.NodeSelectorTerm;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.volumebinding.StorageClass;
import dev.berth.core.volumebinding.StorageObject;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.projection.ObjectMeta;
import java.util.ArrayList;
import java.util.List;

/** Reads StorageClasses. */
final class StorageClassProjection extends StorageProjection {
    private static final FieldNames TERM = FieldNames.none().with(1, "matchLabelExpressions");
    private static final FieldNames EXPRESSION =
            FieldNames.none().with(1, "key").with(2, "values");

    private final List<NodeSelectorTerm> topologies = new ArrayList<>();
    private String provisioner = "";
    private String bindingMode = "";

    StorageClassProjection() {
        super(
                "storageclass",
                FieldNames.none()
                        .with(2, "provisioner")
                        .with(7, "volumeBindingMode")
                        .with(8, "allowedTopologies"),
                annotation -> false);
    }

    @Override
    void clear() {
        topologies.clear();
        provisioner = "";
        bindingMode = "";
    }

    @Override
    void read(int field, Cursor in) {
        switch (field) {
            case 2 -> provisioner = in.text();
            case 7 -> bindingMode = in.text();
            case 8 -> topologies.add(term(in));
            default -> in.skip();
        }
    }

    private static NodeSelectorTerm term(Cursor in) {
        List<Requirement> requirements = new ArrayList<>();
        in.enter();
        for (int field = in.nextField(TERM); field != 0; field = in.nextField(TERM)) {
            if (field == 1) {
                requirements.add(expression(in));
            } else {
                in.skip();
            }
        }
        in.leave();
        return new NodeSelectorTerm(requirements, List.of());
    }

    private static Requirement expression(Cursor in) {
        String key = "";
        List<String> values = new ArrayList<>();
        in.enter();
        for (int field = in.nextField(EXPRESSION); field != 0; field = in.nextField(EXPRESSION)) {
            switch (field) {
                case 1 -> key = in.text();
                case 2 -> values.add(in.text());
                default -> in.skip();
            }
        }
        in.leave();
        return new Requirement(key, Requirement.Operator.IN, values);
    }

    @Override
    StorageObject toObject(ObjectMeta object) {
        return new StorageClass(
                object.name(), object.uid(), provisioner, bindingMode.equals("WaitForFirstConsumer"), topologies);
    }
}
