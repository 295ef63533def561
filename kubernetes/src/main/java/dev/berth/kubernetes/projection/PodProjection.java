package dev.berth.kubernetes.projection;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodPhase;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.devices.DeviceClaim;
import dev.berth.core.door.godel.GodelAnnotations;
import dev.berth.core.resource.PodRequests;
import dev.berth.core.resource.PodResources;
import dev.berth.core.resource.Quantity;
import dev.berth.core.resource.ResourceName;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.cursor.MalformedObjectException;
import dev.berth.kubernetes.interning.QuantityCache;
import dev.berth.kubernetes.projection.ObservedPod.UnscheduledCondition;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/** Reads pods. Pods of one template share everything that is equal. */
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

    private final QuantityCache quantityCache = new QuantityCache();
    private final ContainerReader containerReader = new ContainerReader(quantityCache);
    private final PodSpecReader spec = new PodSpecReader(quantityCache, containerReader);
    private final ReservationConstraintsReader reservationConstraints = new ReservationConstraintsReader();
    private final ObjectMeta meta;
    private final Map<ResourceName, Quantity> allocated = new HashMap<>();
    private Optional<Map<ResourceName, Quantity>> actuated = Optional.empty();
    private boolean resizeInfeasible;
    private PodPhase phase = PodPhase.PENDING;
    private Optional<Instant> startTime = Optional.empty();
    private String nominatedNode = "";
    private Optional<Instant> preemptedAt = Optional.empty();
    private Optional<UnscheduledCondition> unscheduledCondition = Optional.empty();

    /** @param annotationFilter selects the annotations to read */
    public PodProjection(Predicate<String> annotationFilter) {
        this.meta = new ObjectMeta(annotationFilter);
    }

    @Override
    public ReadResult<ObservedPod> read(Cursor in) {
        clear();
        try {
            for (int field = in.nextField(POD); field != 0; field = in.nextField(POD)) {
                switch (field) {
                    case 1 -> meta.read(in);
                    case 2 -> spec.read(in);
                    case 3 -> readStatus(in);
                    default -> in.skip();
                }
            }
            return ReadResult.readable(meta, new ObservedPod(toPod(), meta.generation(), unscheduledCondition));
        } catch (MalformedObjectException | IllegalArgumentException | ArithmeticException malformed) {
            return ReadResult.unreadable(meta, KIND, malformed);
        }
    }

    private void clear() {
        meta.clear();
        spec.clear();
        containerReader.clear();
        allocated.clear();
        actuated = Optional.empty();
        resizeInfeasible = false;
        phase = PodPhase.PENDING;
        startTime = Optional.empty();
        nominatedNode = "";
        preemptedAt = Optional.empty();
        unscheduledCondition = Optional.empty();
    }

    private Pod toPod() {
        Optional<PodResources.Reported> reported = actuated.map(map -> new PodResources.Reported(map, allocated));
        PodRequests requests = spec.requests(reported, resizeInfeasible);
        if (spec.nodeName().isEmpty()) {
            UnsupportedKoordinatorFeatures.find(meta.labels(), meta.annotations(), spec::addUnsupportedFeature);
            UnsupportedKoordinatorFeatures.find(requests.requests(), spec::addUnsupportedFeature);
        }
        Pod.Builder pod = Pod.builder(new PodUid(meta.uid()), meta.namespace(), meta.name())
                .labels(meta.labels())
                .annotations(annotationsWithDeviceClaims())
                .returnKey(GodelAnnotations.returnKeyIn(meta.annotations()))
                .controller(meta.controller())
                .otherOwners(meta.otherOwners())
                .spec(spec.toPodSpec(
                        requests,
                        reservationConstraints.read(meta.annotations()).withLabels(meta.labels())))
                .volumes(spec.volumes(meta.name()))
                .priority(spec.priority())
                .created(Instant.ofEpochMilli(meta.createdMillis()))
                .terminating(meta.terminating())
                .deletionTimestamp(
                        meta.terminating()
                                ? Optional.of(Instant.ofEpochMilli(meta.deletionMillis()))
                                : Optional.empty())
                .deletionRequestedAt(
                        meta.terminating()
                                ? Optional.of(Instant.ofEpochMilli(meta.deletionRequestedMillis()))
                                : Optional.empty())
                .phase(phase)
                .nodeName(spec.nodeName())
                .schedulingGates(spec.gates())
                .mayPreempt(spec.preempting())
                .startTime(startTime)
                .preempted(preemptedAt.isPresent())
                .preemptedAt(preemptedAt.filter(at -> !at.equals(Instant.EPOCH)));
        if (!nominatedNode.isEmpty()) {
            pod.nominatedNodeName(Optional.of(nominatedNode));
        }
        return spec.schedulerName().isEmpty()
                ? pod.build()
                : pod.schedulerName(spec.schedulerName()).build();
    }

    /** Device claims that containers name in their own field count like those of the annotation. */
    private Labels annotationsWithDeviceClaims() {
        Labels annotations = ReservationConstraintsReader.withoutRead(meta.annotations());
        if (containerReader.deviceClaims().isEmpty()) {
            return annotations;
        }
        Set<String> claims = new TreeSet<>(containerReader.deviceClaims());
        annotations.get(DeviceClaim.ANNOTATION).ifPresent(claims::add);
        return annotations.with(DeviceClaim.ANNOTATION, String.join(",", claims));
    }

    private void readStatus(Cursor in) {
        in.enter();
        for (int field = in.nextField(STATUS); field != 0; field = in.nextField(STATUS)) {
            switch (field) {
                case 1 -> phase = parsePhase(in.text());
                case 2 -> readCondition(in);
                case 7 -> startTime = Optional.of(Instant.ofEpochMilli(in.epochMillis()));
                case 11 -> nominatedNode = in.text();
                case 8, 10 -> containerReader.readStatus(in);
                case 19 -> quantityCache.readEntry(in, allocated);
                case 20 -> actuated = Optional.of(containerReader.readRequests(in));
                default -> in.skip();
            }
        }
        in.leave();
    }

    private void readCondition(Cursor in) {
        String type = "";
        String status = "";
        String reason = "";
        String message = "";
        long since = 0;
        in.enter();
        for (int field = in.nextField(CONDITION); field != 0; field = in.nextField(CONDITION)) {
            switch (field) {
                case 1 -> type = in.text();
                case 2 -> status = in.text();
                case 4 -> since = in.epochMillis();
                case 5 -> reason = in.text();
                case 6 -> message = in.text();
                default -> in.skip();
            }
        }
        in.leave();
        if (type.equals("PodScheduled") && status.equals("False")) {
            unscheduledCondition = Optional.of(new UnscheduledCondition(reason, message, since));
        } else if (type.equals("PodResizePending") && reason.equals("Infeasible")) {
            resizeInfeasible = true;
        } else if (type.equals("DisruptionTarget")) {
            boolean byScheduler = status.equals("True") && reason.equals("PreemptionByScheduler");
            preemptedAt = byScheduler ? Optional.of(Instant.ofEpochMilli(since)) : Optional.empty();
        }
    }

    private static PodPhase parsePhase(String phase) {
        return switch (phase) {
            case "", "Pending" -> PodPhase.PENDING;
            case "Running" -> PodPhase.RUNNING;
            case "Succeeded" -> PodPhase.SUCCEEDED;
            case "Failed" -> PodPhase.FAILED;
            default -> PodPhase.UNKNOWN;
        };
    }
}
