package dev.berth.kubernetes.door.godel;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodSpec;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.godel.GodelAnnotations;
import dev.berth.core.door.godel.GodelReservation;
import dev.berth.core.hold.Draw;
import dev.berth.core.hold.HoldId;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.cursor.MalformedObjectException;
import dev.berth.kubernetes.projection.ObjectMeta;
import dev.berth.kubernetes.projection.PodTemplateReader;
import dev.berth.kubernetes.projection.Projection;
import dev.berth.kubernetes.projection.ReadResult;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * Reads Gödel's Reservations. A malformed Reservation is read with its problem, so that an event can report the
 * problem.
 */
public final class GodelReservationProjection implements Projection<GodelReservation> {
    private static final FieldNames OBJECT =
            FieldNames.none().with(1, "metadata").with(2, "spec").with(3, "status");
    private static final FieldNames SPEC =
            FieldNames.none().with(1, "nodename").with(2, "ttl").with(3, "template");
    private static final FieldNames TEMPLATE = FieldNames.none().with(1, "spec").with(2, "metadata");
    private static final FieldNames STATUS = FieldNames.none().with(1, "phase");
    private static final Set<String> ANNOTATIONS = Set.of(
            GodelAnnotations.INDEX,
            GodelAnnotations.PLACEHOLDER_UID,
            GodelAnnotations.ORIGINAL_POD,
            GodelAnnotations.NODE_UID,
            GodelAnnotations.OWNER_TYPE,
            GodelAnnotations.OWNER,
            GodelAnnotations.OWNER_UID,
            GodelAnnotations.DRAWS_ON,
            GodelAnnotations.CLAIMED_HOLD);

    private final ObjectMeta meta = new ObjectMeta(ANNOTATIONS::contains);
    private final PodTemplateReader template = new PodTemplateReader();
    private final ObjectMeta successor = new ObjectMeta(annotation -> false);
    private String nodeName = "";
    private Optional<Long> ttlSeconds = Optional.empty();
    private String phase = "";

    @Override
    public ReadResult<GodelReservation> read(Cursor in) {
        meta.clear();
        template.clear();
        successor.clear();
        nodeName = "";
        ttlSeconds = Optional.empty();
        phase = "";
        try {
            for (int field = in.nextField(OBJECT); field != 0; field = in.nextField(OBJECT)) {
                switch (field) {
                    case 1 -> meta.read(in);
                    case 2 -> readSpec(in);
                    case 3 -> readStatus(in);
                    default -> in.skip();
                }
            }
            return ReadResult.readable(meta, toReservation(template.toPodSpec(), ""));
        } catch (MalformedObjectException | IllegalArgumentException | ArithmeticException malformed) {
            return meta.uid().isEmpty()
                    ? ReadResult.unreadable(meta, "reservation", malformed)
                    : ReadResult.readable(meta, toReservation(emptyShape(), String.valueOf(malformed.getMessage())));
        }
    }

    private static PodSpec emptyShape() {
        return PodSpec.builder().build();
    }

    private void readSpec(Cursor in) {
        in.enter();
        for (int field = in.nextField(SPEC); field != 0; field = in.nextField(SPEC)) {
            switch (field) {
                case 1 -> nodeName = in.text();
                case 2 -> ttlSeconds = Optional.of(in.number());
                case 3 -> readTemplate(in);
                default -> in.skip();
            }
        }
        in.leave();
    }

    private void readTemplate(Cursor in) {
        in.enter();
        for (int field = in.nextField(TEMPLATE); field != 0; field = in.nextField(TEMPLATE)) {
            switch (field) {
                case 1 -> template.read(in);
                case 2 -> successor.read(in);
                default -> in.skip();
            }
        }
        in.leave();
    }

    private void readStatus(Cursor in) {
        in.enter();
        for (int field = in.nextField(STATUS); field != 0; field = in.nextField(STATUS)) {
            if (field == 1) {
                phase = in.text();
            } else {
                in.skip();
            }
        }
        in.leave();
    }

    private GodelReservation toReservation(PodSpec spec, String problem) {
        Instant created = Instant.ofEpochMilli(meta.createdMillis());
        return GodelReservation.builder(meta.namespace(), meta.name(), meta.uid(), created)
                .terminating(meta.terminating())
                .key(annotation(GodelAnnotations.INDEX))
                .originalPodUid(annotation(GodelAnnotations.PLACEHOLDER_UID))
                .nodeUid(annotation(GodelAnnotations.NODE_UID))
                .nodeName(nodeName)
                .ttlSeconds(ttlSeconds)
                .requests(spec.requests())
                .hostPorts(spec.hostPorts())
                .phase(phase)
                .problem(problem)
                .statefulSetName(
                        annotation(GodelAnnotations.OWNER_TYPE).equals("StatefulSet")
                                ? annotation(GodelAnnotations.OWNER)
                                : "")
                .statefulSetUid(annotation(GodelAnnotations.OWNER_UID))
                .draw(findDraw(spec))
                .claimedHold(findClaimedHold())
                .build();
    }

    private Optional<GodelReservation.ClaimedHold> findClaimedHold() {
        return Optional.of(annotation(GodelAnnotations.CLAIMED_HOLD))
                .filter(hold -> !hold.isBlank())
                .map(hold ->
                        new GodelReservation.ClaimedHold(new HoldId(hold), annotation(GodelAnnotations.ORIGINAL_POD)));
    }

    private Optional<Draw> findDraw(PodSpec spec) {
        String drawnOn = annotation(GodelAnnotations.DRAWS_ON);
        String key = annotation(GodelAnnotations.INDEX);
        if (drawnOn.isBlank() || key.isEmpty()) {
            return Optional.empty();
        }
        Pod replaced = Pod.builder(new PodUid("replaced"), meta.namespace(), successor.name())
                .labels(successor.labels())
                .returnKey(Optional.of(key))
                .controller(successor.controller())
                .spec(spec)
                .build();
        return Optional.of(Draw.forSuccessorOf(replaced, new HoldId(drawnOn)));
    }

    private String annotation(String key) {
        return meta.annotations().get(key).orElse("");
    }
}
