package dev.berth.kubernetes.door.koordinator;

import dev.berth.core.door.RecordAnnotations;
import dev.berth.core.door.koordinator.CurrentOwner;
import dev.berth.core.door.koordinator.RemoveAllocatedAnnotation;
import dev.berth.core.door.koordinator.Reservation;
import dev.berth.core.door.koordinator.ReservationCondition;
import dev.berth.core.door.koordinator.ReservationFact;
import dev.berth.core.door.koordinator.ReservationStatus;
import dev.berth.core.door.koordinator.ReservationWrite;
import dev.berth.core.door.koordinator.preallocation.AnnotatePod;
import dev.berth.core.resource.Resources;
import dev.berth.kubernetes.effects.PodPatch;
import dev.berth.kubernetes.effects.WriteEncoders;
import dev.berth.kubernetes.effects.WriteRequest;
import dev.berth.kubernetes.informer.ComponentInformers;
import dev.berth.kubernetes.informer.WatchedResource;
import dev.berth.kubernetes.json.JsonObject;
import dev.berth.kubernetes.watch.ApiResource;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads and writes the objects of the Koordinator door. */
public final class KoordinatorApi {
    private static final String PATH = "/apis/" + Reservation.API_VERSION + "/reservations";
    private static final ApiResource KIND =
            new ApiResource("reservations." + Reservation.API_GROUP, Reservation.KIND, PATH);

    private KoordinatorApi() {}

    public static ComponentInformers informers() {
        WatchedResource<?> reservations = new WatchedResource<>(
                KIND, new ReservationProjection(), ReservationFact.Upserted::new, ReservationFact.Deleted::new);
        return new ComponentInformers(List.of(reservations), List.of());
    }

    public static void addEncoders(WriteEncoders encoders) {
        encoders.register(ReservationWrite.UpdateStatus.class, KoordinatorApi::encodeStatusUpdate)
                .register(ReservationWrite.Delete.class, KoordinatorApi::encodeDelete)
                .register(AnnotatePod.class, KoordinatorApi::encodeAnnotation)
                .register(RemoveAllocatedAnnotation.class, KoordinatorApi::encodeAnnotationRemoval);
    }

    /** By the status subresource, which also writes annotations of pods: Berth has no permission to patch pods. */
    static WriteRequest encodeAnnotation(AnnotatePod write) {
        return PodPatch.ofStatus(
                write.pod(),
                PodPatch.uidPrecondition(write.pod())
                        .with(
                                write.value(),
                                "metadata",
                                "annotations",
                                RecordAnnotations.KOORDINATOR_RESERVATION_ALLOCATED));
    }

    /** The version is a precondition: a decision that is based on another version is not written. */
    static WriteRequest encodeStatusUpdate(ReservationWrite.UpdateStatus write) {
        ReservationStatus status = write.status();
        JsonObject patch = JsonObject.EMPTY
                .with(write.uid(), "metadata", "uid")
                .with(write.resourceVersion(), "metadata", "resourceVersion")
                .with(status.phase().value(), "status", "phase")
                .with(
                        status.conditions().stream()
                                .map(KoordinatorApi::condition)
                                .toList(),
                        "status",
                        "conditions")
                .with(ReservationColumns.of(status, write.until()), "status", ReservationColumns.FIELD)
                .with(nominatedNode(status), "status", "nominatedNodeName");
        if (!status.nodeName().isEmpty()) {
            patch = patch.with(status.nodeName(), "status", "nodeName")
                    .with(amounts(status.allocatable(), write), "status", "allocatable")
                    .with(currentOwners(status), "status", "currentOwners");
        }
        if (status.allocated().size() > 0) {
            patch = patch.with(amounts(status.allocated(), write), "status", "allocated");
        }
        return WriteRequest.mergePatch("%s/%s/status".formatted(PATH, write.name()), patch);
    }

    /**
     * The condition has the node, too: the API server drops the field if the CustomResourceDefinition is Koordinator's own,
     * which does not have it.
     */
    private static Object nominatedNode(ReservationStatus status) {
        return status.nominatedNode().isEmpty() ? JsonObject.NULL : status.nominatedNode();
    }

    /** A template that requests no resources has owners, too, while the status has no amounts. */
    private static Object currentOwners(ReservationStatus status) {
        List<Map<String, Object>> owners = status.currentOwners().stream()
                .map(KoordinatorApi::currentOwner)
                .toList();
        return owners.isEmpty() && status.allocated().size() == 0 ? JsonObject.NULL : owners;
    }

    /** A merge patch keeps the amounts that it does not name. */
    private static Map<String, Object> amounts(Resources amounts, ReservationWrite.UpdateStatus write) {
        Map<String, Object> fields = new LinkedHashMap<>(amounts.toQuantities());
        write.removedResources().forEach(name -> fields.put(name.value(), JsonObject.NULL));
        return fields;
    }

    static WriteRequest encodeDelete(ReservationWrite.Delete write) {
        return WriteRequest.delete("%s/%s".formatted(PATH, write.name()), write.uid());
    }

    static WriteRequest encodeAnnotationRemoval(RemoveAllocatedAnnotation write) {
        return PodPatch.ofStatus(
                write.pod(),
                PodPatch.uidPrecondition(write.pod())
                        .with(
                                JsonObject.NULL,
                                "metadata",
                                "annotations",
                                RecordAnnotations.KOORDINATOR_RESERVATION_ALLOCATED));
    }

    private static Map<String, Object> condition(ReservationCondition condition) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("type", condition.type().value());
        fields.put("status", condition.isTrue() ? "True" : "False");
        fields.put("reason", condition.reason());
        if (!condition.message().isEmpty()) {
            fields.put("message", condition.message());
        }
        fields.put("lastProbeTime", condition.lastProbeTime().truncatedTo(ChronoUnit.SECONDS));
        fields.put("lastTransitionTime", condition.lastTransitionTime().truncatedTo(ChronoUnit.SECONDS));
        return fields;
    }

    private static Map<String, Object> currentOwner(CurrentOwner owner) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("namespace", owner.namespace());
        fields.put("name", owner.name());
        fields.put("uid", owner.uid());
        return fields;
    }
}
