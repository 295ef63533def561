package dev.berth.core.door.koordinator;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.HoldId;
import java.time.Instant;
import java.util.Optional;

/**
 * A reservation as the API server shows it.
 *
 * @param resourceVersion changes with every write of the object
 * @param terminating whether somebody has asked for its deletion
 * @param schedulerName which scheduler is to find a place for it, known even where the rest makes no sense; empty
 *     where it names none
 * @param spec empty where they make no sense
 * @param problem empty, or in words for its author why they make none
 * @param template of the terms, or of what makes no sense for another reason; empty where it makes none itself
 * @param unknownFields of its template: they have no effect
 */
public record Reservation(
        String uid,
        String name,
        String resourceVersion,
        Instant created,
        boolean terminating,
        String schedulerName,
        Optional<ReservationSpec> spec,
        String problem,
        Optional<ReservationSpec.Template> template,
        UnknownFields unknownFields,
        ReservationStatus status) {

    /** One whose template is read together with the rest, or not at all. */
    public Reservation(
            String uid,
            String name,
            String version,
            Instant created,
            boolean terminating,
            String schedulerName,
            Optional<ReservationSpec> reservationSpec,
            String problem,
            UnknownFields unknownFields,
            ReservationStatus status) {
        this(
                uid,
                name,
                version,
                created,
                terminating,
                schedulerName,
                reservationSpec,
                problem,
                reservationSpec.map(ReservationSpec::template),
                unknownFields,
                status);
    }

    /** One whose template has known fields alone. */
    public Reservation(
            String uid,
            String name,
            String version,
            Instant created,
            boolean terminating,
            String schedulerName,
            Optional<ReservationSpec> reservationSpec,
            String problem,
            ReservationStatus status) {
        this(
                uid,
                name,
                version,
                created,
                terminating,
                schedulerName,
                reservationSpec,
                problem,
                UnknownFields.NONE,
                status);
    }

    public Reservation {
        if (uid.isBlank() || name.isBlank()) {
            throw new IllegalArgumentException("a reservation has name (%s) and uid (%s)".formatted(name, uid));
        }
        if (spec.isPresent() != problem.isEmpty()) {
            throw new IllegalArgumentException(
                    "reservation (%s) has terms or a problem (%s), one of the two".formatted(name, problem));
        }
    }

    /** It is written on the pods that use the place. */
    public HoldId holdId() {
        return holdId(uid);
    }

    static HoldId holdId(String uid) {
        return new HoldId("koordinator/" + uid);
    }

    static String reservationUid(HoldId hold) {
        return hold.value().substring(hold.value().indexOf('/') + 1);
    }

    /** No pod has such a UID: those of pods have no slash. */
    static PodUid reservePodUid(String uid) {
        return new PodUid("koordinator/" + uid);
    }

    static String reservationUid(Pod reservePod) {
        return reservePod.uid().value().substring(reservePod.uid().value().indexOf('/') + 1);
    }

    boolean pending() {
        return status.phase() == ReservationStatus.ReservationPhase.PENDING;
    }

    Reservation withSchedulerName(String name) {
        return new Reservation(
                uid,
                this.name,
                resourceVersion,
                created,
                terminating,
                name,
                spec.map(it -> it.withSchedulerName(name)),
                problem,
                template.map(it -> it.withSchedulerName(name)),
                unknownFields,
                status);
    }

    /** The part of the spec that decides on the placement: other edits do not move the reservation. */
    Optional<ReservationSpec.Template> requestedTemplate() {
        return spec.map(ReservationSpec::template);
    }

    /** The pod by which a placement is requested. */
    Pod reservePod(ReservationSpec spec) {
        ReservationSpec.Template template = spec.template();
        return Pod.builder(reservePodUid(uid), template.namespace(), name)
                .labels(template.labels())
                .spec(template.shape())
                .schedulerName(template.schedulerName())
                .priority(template.priority())
                .created(created)
                .nodeName(template.nodeName())
                .build();
    }

    @Override
    public String toString() {
        return "Reservation " + name;
    }
}
