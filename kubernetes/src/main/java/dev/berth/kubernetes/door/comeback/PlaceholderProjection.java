package dev.berth.kubernetes.door.comeback;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodShape;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.comeback.Placeholder;
import dev.berth.core.door.comeback.Words;
import dev.berth.core.hold.Draw;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.ReturnKey;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.cursor.MalformedObject;
import dev.berth.kubernetes.projection.Meta;
import dev.berth.kubernetes.projection.PodTemplates;
import dev.berth.kubernetes.projection.Projection;
import dev.berth.kubernetes.projection.Seen;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * Reads Gödel's Reservations. One whose specification makes no sense is read all the same, with what is wrong about it,
 * so that its author can be told.
 */
public final class PlaceholderProjection implements Projection<Placeholder> {
    private static final FieldNames OBJECT =
            FieldNames.none().with(1, "metadata").with(2, "spec").with(3, "status");
    private static final FieldNames SPEC =
            FieldNames.none().with(1, "nodename").with(2, "ttl").with(3, "template");
    private static final FieldNames TEMPLATE = FieldNames.none().with(1, "spec").with(2, "metadata");
    private static final FieldNames STATUS = FieldNames.none().with(1, "phase");
    private static final Set<String> ANNOTATIONS = Set.of(
            ReturnKey.INDEX,
            Words.PLACEHOLDER_UID,
            Words.ORIGINAL_POD,
            Words.NODE_UID,
            Words.OWNER_TYPE,
            Words.OWNER,
            Words.OWNER_UID,
            Words.DRAWS_ON,
            Words.TOOK);
    private static final Resources SLOT = Resources.of(ResourceName.PODS, 1);

    private final Meta meta = new Meta(ANNOTATIONS::contains);
    private final PodTemplates template = new PodTemplates();
    private final Meta successor = new Meta(annotation -> false);
    private String node = "";
    private Optional<Long> ttl = Optional.empty();
    private String phase = "";

    @Override
    public Seen<Placeholder> read(Cursor in) {
        meta.clear();
        template.clear();
        successor.clear();
        node = "";
        ttl = Optional.empty();
        phase = "";
        try {
            for (int field = in.next(OBJECT); field != 0; field = in.next(OBJECT)) {
                switch (field) {
                    case 1 -> meta.read(in);
                    case 2 -> spec(in);
                    case 3 -> status(in);
                    default -> in.skip();
                }
            }
            return Seen.readable(meta, placeholder(template.shape(), ""));
        } catch (MalformedObject | IllegalArgumentException | ArithmeticException malformed) {
            return meta.uid().isEmpty()
                    ? Seen.unreadable(meta, "reservation", malformed)
                    : Seen.readable(meta, placeholder(nothing(), String.valueOf(malformed.getMessage())));
        }
    }

    private static PodShape nothing() {
        return PodShape.builder().build();
    }

    private void spec(Cursor in) {
        in.enter();
        for (int field = in.next(SPEC); field != 0; field = in.next(SPEC)) {
            switch (field) {
                case 1 -> node = in.text();
                case 2 -> ttl = Optional.of(in.number());
                case 3 -> template(in);
                default -> in.skip();
            }
        }
        in.leave();
    }

    private void template(Cursor in) {
        in.enter();
        for (int field = in.next(TEMPLATE); field != 0; field = in.next(TEMPLATE)) {
            switch (field) {
                case 1 -> template.read(in);
                case 2 -> successor.read(in);
                default -> in.skip();
            }
        }
        in.leave();
    }

    private void status(Cursor in) {
        in.enter();
        for (int field = in.next(STATUS); field != 0; field = in.next(STATUS)) {
            if (field == 1) {
                phase = in.text();
            } else {
                in.skip();
            }
        }
        in.leave();
    }

    private Placeholder placeholder(PodShape shape, String problem) {
        Instant created = Instant.ofEpochMilli(meta.createdMillis());
        return Placeholder.builder(meta.namespace(), meta.name(), meta.uid(), created)
                .terminating(meta.terminating())
                .key(annotation(ReturnKey.INDEX))
                .podUid(annotation(Words.PLACEHOLDER_UID))
                .nodeUid(annotation(Words.NODE_UID))
                .node(node)
                .ttl(ttl)
                .size(shape.requests().plus(SLOT))
                .ports(shape.hostPorts())
                .phase(phase)
                .problem(problem)
                .statefulSet(annotation(Words.OWNER_TYPE).equals("StatefulSet") ? annotation(Words.OWNER) : "")
                .statefulSetUid(annotation(Words.OWNER_UID))
                .draw(draw(shape))
                .took(took())
                .build();
    }

    private Optional<Placeholder.Took> took() {
        return Optional.of(annotation(Words.TOOK))
                .filter(place -> !place.isBlank())
                .map(place -> new Placeholder.Took(new HoldId(place), annotation(Words.ORIGINAL_POD)));
    }

    private Optional<Draw> draw(PodShape shape) {
        String on = annotation(Words.DRAWS_ON);
        String key = annotation(ReturnKey.INDEX);
        if (on.isBlank() || key.isEmpty()) {
            return Optional.empty();
        }
        Pod replaced = Pod.builder(new PodUid("replaced"), meta.namespace(), successor.name())
                .labels(successor.labels())
                .annotations(Labels.of(ReturnKey.INDEX, key))
                .controller(successor.controller())
                .shape(shape)
                .build();
        return Optional.of(Draw.forSuccessorOf(replaced, new HoldId(on)));
    }

    private String annotation(String key) {
        return meta.annotations().get(key).orElse("");
    }
}
