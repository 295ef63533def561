package dev.berth.core.door.comeback;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.decision.Desk;
import dev.berth.core.decision.Effect;
import dev.berth.core.decision.Subject;
import dev.berth.core.hold.ReturnKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Who asks that places be kept, and for how long: pods for themselves, Deployments and StatefulSets for
 * their pods. A Deployment is found by the pod's owner and, as Gödel does, by the pod's label {@code name}; a StatefulSet
 * by the pod's owner.
 */
final class Petitions {
    private static final String NAME_LABEL = "name";

    private final Duration usual;
    private final Map<String, Petition> byUid = new HashMap<>();
    /** Those that say something. */
    private final Map<String, Petition> byName = new HashMap<>();

    /** @param usual how long a place is kept where nobody says */
    Petitions(Duration usual) {
        this.usual = usual;
    }

    void put(Petition petition) {
        byUid.put(petition.uid(), petition);
        if (petition.isSilent()) {
            byName.remove(petition.owner());
        } else {
            byName.put(petition.owner(), petition);
        }
    }

    void remove(String uid) {
        Petition gone = byUid.remove(uid);
        if (gone != null) {
            byName.remove(gone.owner(), gone);
        }
    }

    Optional<Petition> find(String uid) {
        return Optional.ofNullable(byUid.get(uid));
    }

    /** Whether no Deployment and no StatefulSet says anything. */
    boolean isEmpty() {
        return byName.isEmpty();
    }

    boolean asks(Pod pod) {
        return asksForItself(pod) || (!byName.isEmpty() && of(pod).stream().anyMatch(Petition::asks));
    }

    private static boolean asksForItself(Pod pod) {
        return pod.annotations().has(Words.RESERVATION, "true")
                || pod.annotations().has(Words.RESERVATION_BEFORE, "true");
    }

    /** The UIDs of the Deployments and the StatefulSet that ask for the pod; none where the pod asks for itself. */
    List<String> askersOf(Pod pod) {
        if (asksForItself(pod) || byName.isEmpty()) {
            return List.of();
        }
        return of(pod).stream().filter(Petition::asks).map(Petition::uid).toList();
    }

    /** Whether the place of a pod that went while no Berth led is still asked for. */
    boolean stillAsks(CheckpointedPod gone) {
        return gone.askedBy().isEmpty()
                || gone.askedBy().stream().flatMap(uid -> find(uid).stream()).anyMatch(Petition::asks);
    }

    /** How long the pod's place is kept: by the pod's annotation, else by its Deployment's or StatefulSet's, else as usual. */
    Duration lifetime(Pod pod) {
        return Stream.concat(
                        pod.annotations().get(Words.TTL).stream(),
                        of(pod).stream().map(Petition::ttl))
                .flatMap(text -> Lifetime.parse(text).stream())
                .findFirst()
                .orElse(usual);
    }

    /**
     * How long the place is kept, from now on, of a pod that finished and that its finalizers keep. Its time began with
     * its deletion at the latest, so that a process started later does not keep the place once more.
     */
    Duration remaining(Pod finished, Instant now) {
        Duration whole = lifetime(finished);
        Optional<Instant> deletion = finished.deletion().filter(at -> at.isBefore(now));
        return deletion.map(at -> Duration.ofSeconds(
                        Math.max(0, Duration.between(now, at.plus(whole)).toSeconds())))
                .orElse(whole);
    }

    /** Where something is said that makes no sense, its author hears of it; it counts as not said. */
    void answer(Pod pod, Desk desk) {
        if (!saysSomething(pod)) {
            return;
        }
        Subject subject = Subject.of(Effect.PodRef.of(pod));
        answerReservation(subject, pod.annotations().get(Words.RESERVATION).orElse(""), desk);
        answerReservation(
                subject, pod.annotations().get(Words.RESERVATION_BEFORE).orElse(""), desk);
        answerTtl(subject, pod.annotations().get(Words.TTL).orElse(""), desk);
        if (asks(pod) && ReturnKey.of(pod).isEmpty()) {
            desk.write(new Effect.Announce(
                    subject,
                    Effect.Announce.Kind.warning("ReservationFailed", "Reserving"),
                    "No reservation will be created: the pod has no return key. Set the annotation %s."
                            .formatted(ReturnKey.INDEX)));
        }
    }

    /** Whether the pod itself says anything to this door. */
    static boolean saysSomething(Pod pod) {
        Labels annotations = pod.annotations();
        return annotations.has(Words.RESERVATION)
                || annotations.has(Words.RESERVATION_BEFORE)
                || annotations.has(Words.TTL);
    }

    /** Answers all Deployments and StatefulSets that are known. */
    void answerAll(Desk desk) {
        byName.values().stream()
                .sorted(Comparator.comparing(Petition::owner))
                .forEach(petition -> answer(petition, desk));
    }

    void answer(Petition petition, Desk desk) {
        answerReservation(petition.subject(), petition.reservation(), desk);
        answerTtl(petition.subject(), petition.ttl(), desk);
    }

    private static void answerReservation(Subject subject, String value, Desk desk) {
        if (!value.isEmpty() && !value.equals("true") && !value.equals("false")) {
            complain(
                    subject,
                    "annotation %s (%s) must be true or false; it is taken for false"
                            .formatted(Words.RESERVATION, value),
                    desk);
        }
    }

    private static void answerTtl(Subject subject, String value, Desk desk) {
        if (!value.isEmpty() && Lifetime.parse(value).isEmpty()) {
            complain(subject, Lifetime.complaint(value) + "; it is taken for not there", desk);
        }
    }

    static void complain(Subject subject, String note, Desk desk) {
        desk.write(new Effect.Announce(
                subject, Effect.Announce.Kind.warning("ReservationNotUnderstood", "Reserving"), note));
    }

    private List<Petition> of(Pod pod) {
        Stream<String> deployments = Stream.concat(
                        ReturnKey.deploymentOf(pod).stream(), pod.labels().get(NAME_LABEL).stream())
                .map(name -> Petition.owner(Petition.Kind.DEPLOYMENT, pod.namespace(), name));
        Stream<String> statefulSets = ReturnKey.statefulSetOf(pod).stream()
                .map(name -> Petition.owner(Petition.Kind.STATEFUL_SET, pod.namespace(), name));
        return Stream.concat(deployments, statefulSets)
                .distinct()
                .flatMap(owner -> Stream.ofNullable(byName.get(owner)))
                .toList();
    }
}
