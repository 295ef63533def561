package dev.berth.kubernetes.projection;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Workload;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.cursor.MalformedObjectException;
import dev.berth.kubernetes.interning.LabelsInterner;
import java.util.Locale;
import java.util.function.Predicate;

/** Reads the selector of a Service, ReplicationController, ReplicaSet or StatefulSet. */
public final class WorkloadProjection implements Projection<Workload> {
    private static final FieldNames OBJECT =
            FieldNames.none().with(1, "metadata").with(2, "spec");
    /** In all four kinds the selector has the number 2; in the first two it is a plain map of labels. */
    private static final FieldNames PLAIN = FieldNames.none().withMap(2, "selector");

    private static final FieldNames STRUCTURED = FieldNames.none().with(2, "selector");

    private final Workload.Kind kind;
    private final String kindName;
    private final boolean hasPlainSelector;
    private final ObjectMeta meta;
    private final LabelsInterner labels = new LabelsInterner();
    private LabelSelector selector = LabelSelector.EVERYTHING;

    public WorkloadProjection(Workload.Kind kind) {
        this(kind, annotation -> false);
    }

    /** @param annotations selects the annotations of {@link #meta} */
    WorkloadProjection(Workload.Kind kind, Predicate<String> annotations) {
        this.kind = kind;
        this.meta = new ObjectMeta(annotations);
        this.kindName = kind.name().toLowerCase(Locale.ROOT).replace("_", "");
        this.hasPlainSelector = switch (kind) {
            case SERVICE, REPLICATION_CONTROLLER -> true;
            case REPLICA_SET, STATEFUL_SET -> false;
        };
    }

    @Override
    public ReadResult<Workload> read(Cursor in) {
        meta.clear();
        selector = LabelSelector.EVERYTHING;
        try {
            for (int field = in.nextField(OBJECT); field != 0; field = in.nextField(OBJECT)) {
                switch (field) {
                    case 1 -> meta.read(in);
                    case 2 -> readSpec(in);
                    default -> in.skip();
                }
            }
            if (hasPlainSelector && selector.isEmpty()) {
                // A Service without a selector has external endpoints and selects no pod, not every pod.
                return ReadResult.irrelevant(meta);
            }
            return ReadResult.readable(
                    meta, new Workload(kind, meta.namespace(), meta.name(), selector, meta.uid(), meta.controller()));
        } catch (MalformedObjectException | IllegalArgumentException malformed) {
            return ReadResult.unreadable(meta, kindName, malformed);
        }
    }

    /** The metadata of the object that was read last. */
    ObjectMeta meta() {
        return meta;
    }

    private void readSpec(Cursor in) {
        FieldNames names = hasPlainSelector ? PLAIN : STRUCTURED;
        labels.begin();
        in.enter();
        for (int field = in.nextField(names); field != 0; field = in.nextField(names)) {
            if (field != 2) {
                in.skip();
            } else if (hasPlainSelector) {
                labels.add(in.mapKey(), in.mapValueText());
            } else {
                selector = SelectorReader.readLabelSelector(in, labels);
            }
        }
        in.leave();
        if (hasPlainSelector) {
            selector = LabelSelector.of(labels.intern());
        }
    }
}
