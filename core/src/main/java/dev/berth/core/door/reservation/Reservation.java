package dev.berth.core.door.reservation;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.HoldId;
import java.time.Instant;
import java.util.Optional;

/**
 * A reservation as the API server shows it.
 *
 * @param version changes with every write of the object
 * @param terminating whether somebody has asked for its deletion
 * @param schedulerName which scheduler is to find a place for it, known even where the rest makes no sense; empty
 *     where it names none
 * @param terms empty where they make no sense
 * @param problem empty, or in words for its author why they make none
 * @param template of the terms, or of what makes no sense for another reason; empty where it makes none itself
 * @param unknownFields of its template: they have no effect
 */
public record Reservation(
        String uid,
        String name,
        String version,
        Instant created,
        boolean terminating,
        String schedulerName,
        Optional<Terms> terms,
        String problem,
        Optional<Terms.Template> template,
        UnknownFields unknownFields,
        Status status) {

    /** One whose template is read together with the rest, or not at all. */
    public Reservation(
            String uid,
            String name,
            String version,
            Instant created,
            boolean terminating,
            String schedulerName,
            Optional<Terms> terms,
            String problem,
            UnknownFields unknownFields,
            Status status) {
        this(
                uid,
                name,
                version,
                created,
                terminating,
                schedulerName,
                terms,
                problem,
                terms.map(Terms::template),
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
            Optional<Terms> terms,
            String problem,
            Status status) {
        this(uid, name, version, created, terminating, schedulerName, terms, problem, UnknownFields.NONE, status);
    }

    public Reservation {
        if (uid.isBlank() || name.isBlank()) {
            throw new IllegalArgumentException("a reservation has name (%s) and uid (%s)".formatted(name, uid));
        }
        if (terms.isPresent() != problem.isEmpty()) {
            throw new IllegalArgumentException(
                    "reservation (%s) has terms or a problem (%s), one of the two".formatted(name, problem));
        }
    }

    /** It is written on the pods that use the place. */
    public HoldId holdId() {
        return holdId(uid);
    }

    static HoldId holdId(String uid) {
        return new HoldId("reservation/" + uid);
    }

    static String uidOf(HoldId hold) {
        return hold.value().substring(hold.value().indexOf('/') + 1);
    }

    /** No pod has such a UID: those of pods have no slash. */
    static PodUid seekerUid(String uid) {
        return new PodUid("reservation/" + uid);
    }

    static String uidOf(Pod seeker) {
        return seeker.uid().value().substring(seeker.uid().value().indexOf('/') + 1);
    }

    boolean pending() {
        return status.phase() == Status.Phase.PENDING;
    }

    Reservation withSchedulerName(String name) {
        return new Reservation(
                uid,
                this.name,
                version,
                created,
                terminating,
                name,
                terms.map(it -> it.withSchedulerName(name)),
                problem,
                template.map(it -> it.withSchedulerName(name)),
                unknownFields,
                status);
    }

    /** What seeks a place for it. */
    Pod seeker(Terms wanted) {
        Terms.Template template = wanted.template();
        return Pod.builder(seekerUid(uid), template.namespace(), name)
                .labels(template.labels())
                .shape(template.shape())
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
