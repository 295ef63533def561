package dev.berth.kubernetes.projection;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Workload;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.cursor.MalformedObject;
import dev.berth.kubernetes.sharing.LabelPool;
import java.util.Locale;
import java.util.function.Predicate;

/** Reads what a Service, ReplicationController, ReplicaSet or StatefulSet selects. */
public final class WorkloadProjection implements Projection<Workload> {
    private static final FieldNames OBJECT =
            FieldNames.none().with(1, "metadata").with(2, "spec");
    /** In all four kinds the selector has the number 2: a plain map of labels in the first two. */
    private static final FieldNames PLAIN = FieldNames.none().withMap(2, "selector");

    private static final FieldNames STRUCTURED = FieldNames.none().with(2, "selector");

    private final Workload.Kind kind;
    private final String word;
    private final boolean plain;
    private final Meta meta;
    private final LabelPool labels = new LabelPool();
    private LabelSelector selector = LabelSelector.EVERYTHING;

    public WorkloadProjection(Workload.Kind kind) {
        this(kind, annotation -> false);
    }

    /** @param annotations those that {@link #meta} has to have */
    WorkloadProjection(Workload.Kind kind, Predicate<String> annotations) {
        this.kind = kind;
        this.meta = new Meta(annotations);
        this.word = kind.name().toLowerCase(Locale.ROOT).replace("_", "");
        this.plain = switch (kind) {
            case SERVICE, REPLICATION_CONTROLLER -> true;
            case REPLICA_SET, STATEFUL_SET -> false;
        };
    }

    @Override
    public Seen<Workload> read(Cursor in) {
        meta.clear();
        selector = LabelSelector.EVERYTHING;
        try {
            for (int field = in.next(OBJECT); field != 0; field = in.next(OBJECT)) {
                switch (field) {
                    case 1 -> meta.read(in);
                    case 2 -> spec(in);
                    default -> in.skip();
                }
            }
            if (plain && selector.isEmpty()) {
                // Such a Service has its endpoints from elsewhere and selects no pod, not every one.
                return Seen.nothing(meta);
            }
            return Seen.readable(
                    meta, new Workload(kind, meta.namespace(), meta.name(), selector, meta.uid(), meta.controller()));
        } catch (MalformedObject | IllegalArgumentException malformed) {
            return Seen.unreadable(meta, word, malformed);
        }
    }

    /** The metadata of the object that was read last. */
    Meta meta() {
        return meta;
    }

    private void spec(Cursor in) {
        FieldNames names = plain ? PLAIN : STRUCTURED;
        labels.begin();
        in.enter();
        for (int field = in.next(names); field != 0; field = in.next(names)) {
            if (field != 2) {
                in.skip();
            } else if (plain) {
                labels.add(in.key(), in.valueText());
            } else {
                selector = Requirements.selector(in, labels);
            }
        }
        in.leave();
        if (plain) {
            selector = LabelSelector.of(labels.end());
        }
    }
}
