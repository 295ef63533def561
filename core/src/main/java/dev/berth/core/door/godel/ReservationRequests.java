package dev.berth.core.door.godel;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.DoorHandle;
import dev.berth.core.effect.Effect;
import dev.berth.core.effect.EventTarget;
import dev.berth.core.hold.ReturnKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The requests for Reservations and their TTLs: pods request for themselves, Deployments and StatefulSets for their
 * pods. A Deployment is found by the pod's owner and, as Gödel does, by the pod's label {@code name}; a StatefulSet by
 * the pod's owner.
 */
final class ReservationRequests {
    private static final String NAME_LABEL = "name";

    private final Duration defaultTtl;
    private final Map<String, ReservationRequest> byUid = new HashMap<>();
    /** The Deployments and StatefulSets that have annotations of this door. */
    private final Map<String, ReservationRequest> byWorkload = new HashMap<>();
    /** Listed pods with annotations of this door: they may be older than this process, so each start validates them. */
    private final Map<PodUid, Pod> unvalidatedPods = new LinkedHashMap<>();

    /** @param defaultTtl the TTL of pods that have none */
    ReservationRequests(Duration defaultTtl) {
        this.defaultTtl = defaultTtl;
    }

    void put(ReservationRequest reservationRequest) {
        byUid.put(reservationRequest.uid(), reservationRequest);
        if (reservationRequest.isEmpty()) {
            byWorkload.remove(reservationRequest.workloadKey());
        } else {
            byWorkload.put(reservationRequest.workloadKey(), reservationRequest);
        }
    }

    void remove(String uid) {
        ReservationRequest removed = byUid.remove(uid);
        if (removed != null) {
            byWorkload.remove(removed.workloadKey(), removed);
        }
    }

    Optional<ReservationRequest> find(String uid) {
        return Optional.ofNullable(byUid.get(uid));
    }

    /** Whether no Deployment and no StatefulSet has annotations of this door. */
    boolean isEmpty() {
        return byWorkload.isEmpty();
    }

    boolean isRequestedFor(Pod pod) {
        return isRequestedByPod(pod)
                || (!byWorkload.isEmpty() && findByPod(pod).stream().anyMatch(ReservationRequest::isRequested));
    }

    private static boolean isRequestedByPod(Pod pod) {
        return pod.annotations().has(GodelAnnotations.RESERVATION, "true")
                || pod.annotations().has(GodelAnnotations.LEGACY_RESERVATION, "true");
    }

    /**
     * The UIDs of the Deployments and the StatefulSet that request a Reservation for the pod; none if the pod requests
     * it itself.
     */
    List<String> findRequesterUids(Pod pod) {
        if (isRequestedByPod(pod) || byWorkload.isEmpty()) {
            return List.of();
        }
        return findByPod(pod).stream()
                .filter(ReservationRequest::isRequested)
                .map(ReservationRequest::uid)
                .toList();
    }

    /** Whether a Reservation is still requested for a pod that was deleted while no replica was leader. */
    boolean isStillRequestedFor(CheckpointedPod removed) {
        return removed.requestedBy().isEmpty()
                || removed.requestedBy().stream()
                        .flatMap(uid -> find(uid).stream())
                        .anyMatch(ReservationRequest::isRequested);
    }

    /** The TTL by the pod's annotation, else by its Deployment's or StatefulSet's annotation, else the default TTL. */
    Duration ttlFor(Pod pod) {
        return Stream.concat(
                        pod.annotations().get(GodelAnnotations.TTL).stream(),
                        findByPod(pod).stream().map(ReservationRequest::ttl))
                .flatMap(text -> TtlAnnotationParser.parse(text).stream())
                .findFirst()
                .orElse(defaultTtl);
    }

    /**
     * The rest of the TTL of a pod that finished and that finalizers keep. The TTL began with the deletion at the
     * latest, so that a restarted Berth does not begin it again.
     */
    Duration remainingTtl(Pod finished, Instant now) {
        Duration whole = ttlFor(finished);
        Optional<Instant> deletion = finished.deletionTimestamp().filter(at -> at.isBefore(now));
        return deletion.map(at -> Duration.ofSeconds(
                        Math.max(0, Duration.between(now, at.plus(whole)).toSeconds())))
                .orElse(whole);
    }

    /** Reports malformed annotations of the pod. They have no effect. */
    void validate(Pod pod, DoorHandle handle) {
        if (!hasRequestAnnotations(pod)) {
            return;
        }
        EventTarget eventTarget = EventTarget.of(Effect.PodRef.of(pod));
        validateReservation(
                eventTarget, pod.annotations().get(GodelAnnotations.RESERVATION).orElse(""), handle);
        validateReservation(
                eventTarget,
                pod.annotations().get(GodelAnnotations.LEGACY_RESERVATION).orElse(""),
                handle);
        validateTtl(eventTarget, pod.annotations().get(GodelAnnotations.TTL).orElse(""), handle);
        if (isRequestedFor(pod) && ReturnKey.of(pod).isEmpty()) {
            GodelEvents.failed(
                    eventTarget,
                    "No Reservation will be created: the pod has no return key. Set the annotation %s."
                            .formatted(GodelAnnotations.INDEX),
                    handle);
        }
    }

    /** Whether the pod has annotations of this door. */
    private static boolean hasRequestAnnotations(Pod pod) {
        Labels annotations = pod.annotations();
        return annotations.has(GodelAnnotations.RESERVATION)
                || annotations.has(GodelAnnotations.LEGACY_RESERVATION)
                || annotations.has(GodelAnnotations.TTL);
    }

    void onPodListed(Pod pod) {
        if (hasRequestAnnotations(pod)) {
            unvalidatedPods.put(pod.uid(), pod);
        }
    }

    void onPodDelete(PodUid pod) {
        unvalidatedPods.remove(pod);
    }

    /** Malformed annotations were reported when they appeared only if a leader ran then. Each start reports them again. */
    void validateListed(DoorHandle handle) {
        unvalidatedPods.values().forEach(pod -> validate(pod, handle));
        unvalidatedPods.clear();
        byWorkload.values().stream()
                .sorted(Comparator.comparing(ReservationRequest::workloadKey))
                .forEach(reservationRequest -> validate(reservationRequest, handle));
    }

    void validate(ReservationRequest reservationRequest, DoorHandle handle) {
        validateReservation(reservationRequest.eventTarget(), reservationRequest.reservation(), handle);
        validateTtl(reservationRequest.eventTarget(), reservationRequest.ttl(), handle);
    }

    private static void validateReservation(EventTarget eventTarget, String value, DoorHandle handle) {
        if (!value.isEmpty() && !value.equals("true") && !value.equals("false")) {
            GodelEvents.invalid(
                    eventTarget,
                    "annotation %s (%s) must be true or false. The value false is used."
                            .formatted(GodelAnnotations.RESERVATION, value),
                    handle);
        }
    }

    private static void validateTtl(EventTarget eventTarget, String value, DoorHandle handle) {
        if (!value.isEmpty() && TtlAnnotationParser.parse(value).isEmpty()) {
            GodelEvents.invalid(
                    eventTarget, TtlAnnotationParser.malformedMessage(value) + ". The annotation is ignored.", handle);
        }
    }

    private List<ReservationRequest> findByPod(Pod pod) {
        Stream<String> deployments = Stream.concat(
                        ReturnKey.deploymentOf(pod).stream(), pod.labels().get(NAME_LABEL).stream())
                .map(name -> ReservationRequest.workloadKey(
                        ReservationRequest.RequesterKind.DEPLOYMENT, pod.namespace(), name));
        Stream<String> statefulSets = ReturnKey.statefulSetOf(pod).stream()
                .map(name -> ReservationRequest.workloadKey(
                        ReservationRequest.RequesterKind.STATEFUL_SET, pod.namespace(), name));
        return Stream.concat(deployments, statefulSets)
                .distinct()
                .flatMap(owner -> Stream.ofNullable(byWorkload.get(owner)))
                .toList();
    }
}
