package dev.berth.core.door.koordinator;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.ReservationRecord;
import dev.berth.core.resource.Resources;
import java.time.Instant;
import java.util.Optional;

/**
 * A reservation as the API server shows it.
 *
 * @param resourceVersion changes with every write of the object
 * @param terminating whether it has a deletion timestamp
 * @param schedulerName the scheduler that places it, known even if the spec is malformed; empty if it names none
 * @param spec empty if it is malformed
 * @param problem why the spec is malformed, as a message for users; empty if it is well-formed
 * @param template the template of the spec, even if other parts of the spec are malformed; empty if the template itself
 * is malformed
 * @param fieldWarnings what is valid, but probably not meant
 * @param unsupported what it asks for and Berth does not support, as a message for users; empty if nothing. Another
 * scheduler may support it
 * @param shownUntil until when users are told that it holds its capacity; empty if the API server does not store this
 * text of Berth's own
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
        FieldWarnings fieldWarnings,
        String unsupported,
        ReservationStatus status,
        String shownUntil) {
    public static final String API_GROUP = "scheduling.koordinator.sh";
    public static final String API_VERSION = API_GROUP + "/v1alpha1";
    public static final String KIND = "Reservation";

    /** A reservation whose template has only known fields and is well-formed exactly if the spec is, without Berth's own text. */
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
                reservationSpec.map(ReservationSpec::template),
                FieldWarnings.NONE,
                status,
                "");
    }

    /** A reservation that asks for nothing that Berth does not support. */
    public Reservation(
            String uid,
            String name,
            String resourceVersion,
            Instant created,
            boolean terminating,
            String schedulerName,
            Optional<ReservationSpec> spec,
            String problem,
            Optional<ReservationSpec.Template> template,
            FieldWarnings fieldWarnings,
            ReservationStatus status,
            String shownUntil) {
        this(
                uid,
                name,
                resourceVersion,
                created,
                terminating,
                schedulerName,
                spec,
                problem,
                template,
                fieldWarnings,
                "",
                status,
                shownUntil);
    }

    public Reservation {
        if (uid.isBlank() || name.isBlank()) {
            throw new IllegalArgumentException("a reservation has name (%s) and uid (%s)".formatted(name, uid));
        }
        if (spec.isPresent() != problem.isEmpty()) {
            throw new IllegalArgumentException(
                    "reservation (%s) must have either a specification or a problem (%s)".formatted(name, problem));
        }
    }

    /** The id is also in the records of the pods that use the reservation. */
    public HoldId holdId() {
        return holdId(uid);
    }

    static HoldId holdId(String uid) {
        return ReservationRecord.holdId(uid);
    }

    /** The id of the hold on the node to which the reservation moves. No record names it. */
    static HoldId moveHoldId(String uid) {
        return new HoldId("koordinator-move/" + uid);
    }

    static String reservationUid(HoldId hold) {
        return hold.value().substring(hold.value().indexOf('/') + 1);
    }

    /** No pod has such a UID: the UIDs of pods contain no slash. */
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
                fieldWarnings,
                unsupported,
                status,
                shownUntil);
    }

    /** As Berth serves it: what Berth does not support makes its spec malformed. */
    Reservation rejectUnsupported() {
        return unsupported.isEmpty() || spec.isEmpty()
                ? this
                : new Reservation(
                        uid,
                        name,
                        resourceVersion,
                        created,
                        terminating,
                        schedulerName,
                        Optional.empty(),
                        unsupported,
                        template,
                        fieldWarnings,
                        unsupported,
                        status,
                        shownUntil);
    }

    /** The part of the spec that decides on the placement: other edits do not move the reservation. */
    Optional<ReservationSpec.Template> requestedTemplate() {
        return spec.map(ReservationSpec::template);
    }

    /** The size that the template requests, even if other parts of the spec are malformed; empty if it is not known. */
    Optional<Resources> requestedSize() {
        return template.filter(ReservationSpec.Template::sizeKnown)
                .map(it -> it.spec().requests());
    }

    /** The pod by which a placement is requested. */
    Pod reservePod(ReservationSpec spec) {
        ReservationSpec.Template template = spec.template();
        return Pod.builder(reservePodUid(uid), template.namespace(), name)
                .labels(template.labels())
                .spec(template.spec())
                .schedulerName(template.schedulerName())
                .priority(template.priority())
                .mayPreempt(template.mayPreempt())
                .created(created)
                .nodeName(template.nodeName())
                .volumes(template.volumes())
                .build();
    }

    @Override
    public String toString() {
        return "Reservation " + name;
    }
}
