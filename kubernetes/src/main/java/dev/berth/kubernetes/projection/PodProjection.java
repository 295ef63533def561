package dev.berth.kubernetes.projection;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Need;
import dev.berth.core.cluster.Phase;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.device.DeviceClaim;
import dev.berth.core.resource.PodResources;
import dev.berth.core.resource.Quantity;
import dev.berth.core.resource.ResourceName;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.cursor.MalformedObject;
import dev.berth.kubernetes.projection.ObservedPod.Unscheduled;
import dev.berth.kubernetes.sharing.Quantities;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/** Reads pods. Those made from one template share all that is equal. */
public final class PodProjection implements Projection<ObservedPod> {
    private static final String KIND = "pod";
    private static final FieldNames POD =
            FieldNames.none().with(1, "metadata").with(2, "spec").with(3, "status");
    private static final FieldNames STATUS = FieldNames.none()
            .with(1, "phase")
            .with(2, "conditions")
            .with(7, "startTime")
            .with(8, "containerStatuses")
            .with(10, "initContainerStatuses")
            .with(11, "nominatedNodeName")
            .withMap(19, "allocatedResources")
            .with(20, "resources");
    private static final FieldNames CONDITION = FieldNames.none()
            .with(1, "type")
            .with(2, "status")
            .with(4, "lastTransitionTime")
            .with(5, "reason")
            .with(6, "message");

    private final Quantities quantities = new Quantities();
    private final Containers containers = new Containers(quantities);
    private final PodSpecs spec = new PodSpecs(quantities, containers);
    private final Meta meta;
    private final Map<ResourceName, Quantity> allocated = new HashMap<>();
    private Optional<Map<ResourceName, Quantity>> actuated = Optional.empty();
    private boolean resizeInfeasible;
    private Phase phase = Phase.PENDING;
    private Optional<Instant> started = Optional.empty();
    private String nominatedNode = "";
    private Optional<Instant> preempted = Optional.empty();
    private Optional<Unscheduled> unscheduled = Optional.empty();

    /**
     * Makes a projection.
     *
     * @param annotationsWanted which annotations somebody reads; the others are not kept
     */
    public PodProjection(Predicate<String> annotationsWanted) {
        this.meta = new Meta(annotationsWanted);
    }

    @Override
    public Seen<ObservedPod> read(Cursor in) {
        clear();
        try {
            for (int field = in.next(POD); field != 0; field = in.next(POD)) {
                switch (field) {
                    case 1 -> meta.read(in);
                    case 2 -> spec.read(in);
                    case 3 -> status(in);
                    default -> in.skip();
                }
            }
            return Seen.readable(meta, new ObservedPod(pod(), meta.generation(), unscheduled));
        } catch (MalformedObject | IllegalArgumentException | ArithmeticException malformed) {
            return Seen.unreadable(meta, KIND, malformed);
        }
    }

    private void clear() {
        meta.clear();
        spec.clear();
        containers.clear();
        allocated.clear();
        actuated = Optional.empty();
        resizeInfeasible = false;
        phase = Phase.PENDING;
        started = Optional.empty();
        nominatedNode = "";
        preempted = Optional.empty();
        unscheduled = Optional.empty();
    }

    private Pod pod() {
        needs();
        Optional<PodResources.Reported> reported = actuated.map(map -> new PodResources.Reported(map, allocated));
        Pod.Builder pod = Pod.builder(new PodUid(meta.uid()), meta.namespace(), meta.name())
                .labels(meta.labels())
                .annotations(annotations())
                .controller(meta.controller())
                .shape(spec.shape(reported, resizeInfeasible))
                .volumes(spec.volumes(meta.name()))
                .priority(spec.priority())
                .created(Instant.ofEpochMilli(meta.createdMillis()))
                .terminating(meta.terminating())
                .deletion(
                        meta.terminating()
                                ? Optional.of(Instant.ofEpochMilli(meta.deletionMillis()))
                                : Optional.empty())
                .deletionRequested(
                        meta.terminating()
                                ? Optional.of(Instant.ofEpochMilli(meta.deletionRequestedMillis()))
                                : Optional.empty())
                .phase(phase)
                .nodeName(spec.nodeName())
                .gates(spec.gates())
                .preempting(spec.preempting())
                .started(started)
                .preempted(preempted.isPresent())
                .preemptedAt(preempted.filter(at -> !at.equals(Instant.EPOCH)));
        if (!nominatedNode.isEmpty()) {
            pod.nominatedNode(Optional.of(nominatedNode));
        }
        return spec.schedulerName().isEmpty()
                ? pod.build()
                : pod.schedulerName(spec.schedulerName()).build();
    }

    /** Claims that containers name in their own field count as if the annotation named them. */
    private Labels annotations() {
        if (containers.deviceClaims().isEmpty()) {
            return meta.annotations();
        }
        Set<String> claims = new TreeSet<>(containers.deviceClaims());
        meta.annotations().get(DeviceClaim.ANNOTATION).ifPresent(claims::add);
        return meta.annotations().with(DeviceClaim.ANNOTATION, String.join(",", claims));
    }

    /** What Koordinator's pods say of reservations beyond being owners of them. */
    private void needs() {
        if (meta.annotations().has("scheduling.koordinator.sh/reservation-affinity")) {
            spec.need(Need.RESERVATION_AFFINITY);
        }
        if (meta.annotations().has("scheduling.koordinator.sh/exact-match-reservation")) {
            spec.need(Need.EXACT_RESERVATION);
        }
        if (meta.labels().has("scheduling.koordinator.sh/reservation-ignored", "true")) {
            spec.need(Need.RESERVED_ROOM);
        }
        if (meta.labels().has("scheduling.koordinator.sh/operating-mode", "Reservation")) {
            spec.need(Need.BEING_A_RESERVATION);
        }
    }

    private void status(Cursor in) {
        in.enter();
        for (int field = in.next(STATUS); field != 0; field = in.next(STATUS)) {
            switch (field) {
                case 1 -> phase = phase(in.text());
                case 2 -> condition(in);
                case 7 -> started = Optional.of(Instant.ofEpochMilli(in.millis()));
                case 11 -> nominatedNode = in.text();
                case 8, 10 -> containers.readStatus(in);
                case 19 -> quantities.read(in, allocated);
                case 20 -> actuated = Optional.of(containers.requests(in));
                default -> in.skip();
            }
        }
        in.leave();
    }

    private void condition(Cursor in) {
        String type = "";
        String status = "";
        String reason = "";
        String message = "";
        long since = 0;
        in.enter();
        for (int field = in.next(CONDITION); field != 0; field = in.next(CONDITION)) {
            switch (field) {
                case 1 -> type = in.text();
                case 2 -> status = in.text();
                case 4 -> since = in.millis();
                case 5 -> reason = in.text();
                case 6 -> message = in.text();
                default -> in.skip();
            }
        }
        in.leave();
        if (type.equals("PodScheduled") && status.equals("False")) {
            unscheduled = Optional.of(new Unscheduled(reason, message, since));
        } else if (type.equals("PodResizePending") && reason.equals("Infeasible")) {
            resizeInfeasible = true;
        } else if (type.equals("DisruptionTarget")) {
            boolean byScheduler = status.equals("True") && reason.equals("PreemptionByScheduler");
            preempted = byScheduler ? Optional.of(Instant.ofEpochMilli(since)) : Optional.empty();
        }
    }

    private static Phase phase(String word) {
        return switch (word) {
            case "", "Pending" -> Phase.PENDING;
            case "Running" -> Phase.RUNNING;
            case "Succeeded" -> Phase.SUCCEEDED;
            case "Failed" -> Phase.FAILED;
            default -> Phase.UNKNOWN;
        };
    }
}
