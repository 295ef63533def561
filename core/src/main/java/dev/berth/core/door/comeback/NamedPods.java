package dev.berth.core.door.comeback;

import dev.berth.core.cluster.Pod;
import dev.berth.core.decision.Desk;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Decides whether a Reservation stands for the pod that its annotation names. Tenants can name any pod of their namespace.
 * Berth writes a Reservation after the pod left, so one that was there before is not the pod's: it keeps a place of its
 * own, and the pod leaves its place as if the annotation were not there.
 */
final class NamedPods {
    private final Checkpoint checkpoint;
    private final Departures departures;
    private final Kept kept;
    /** By the UID of the Reservation, the UID of the pod that it names and does not stand for. */
    private final Map<String, String> ignored = new HashMap<>();

    NamedPods(Checkpoint checkpoint, Departures departures, Kept kept) {
        this.checkpoint = checkpoint;
        this.departures = departures;
        this.kept = kept;
    }

    /** The Reservation as it counts: without the pod, where it does not stand for the pod. */
    Placeholder counted(Placeholder seen, Desk desk) {
        if (seen.podUid().isEmpty() || kept.standsFor(seen.uid(), seen.podUid())) {
            return seen;
        }
        if (seen.podUid().equals(ignored.get(seen.uid()))) {
            return seen.withoutPod();
        }
        return present(seen, desk)
                .map(pod -> ignore(seen, isThere(pod), desk))
                .or(() -> contradiction(seen).map(why -> ignore(seen, why, desk)))
                .orElse(seen);
    }

    /**
     * The same for a Reservation that was listed at the start.
     *
     * @param isProven whether the checkpoint says that Berth wrote it for the pod
     */
    Placeholder listed(Placeholder seen, boolean isProven, Desk desk) {
        return present(seen, desk)
                .map(pod -> ignore(seen, isThere(pod), desk))
                .or(() -> evidence(seen)
                        .filter(pod -> !isProven && Proofs.speaksAgainst(pod, seen))
                        .map(pod -> ignore(seen, isNotWrittenFor(pod.name()), desk)))
                .orElse(seen);
    }

    /** A pod was shown. Its watch may be behind that of Reservations, so that one which names it was shown before. */
    Optional<Placeholder> appeared(Pod pod, Desk desk) {
        return pod.phase().terminal()
                ? Optional.empty()
                : kept.untakenOf(new PlaceId.PodKey(pod.namespace(), pod.uid()))
                        .map(seen -> ignore(seen, isThere(pod), desk));
    }

    void forget(String reservation) {
        ignored.remove(reservation);
    }

    private static Optional<Pod> present(Placeholder seen, Desk desk) {
        Predicate<Pod> isNamed =
                pod -> pod.namespace().equals(seen.namespace()) && !pod.phase().terminal();
        return seen.pod().flatMap(desk.ledger()::pod).filter(isNamed);
    }

    /** In words, why it is not the one that Berth wrote for a pod that left. */
    private Optional<String> contradiction(Placeholder seen) {
        Optional<String> unlike = seen.leftBy()
                .flatMap(departures::unwritten)
                .filter(place -> !place.isKeptBy(seen))
                .map(place -> isNotWrittenFor(place.name()));
        return unlike.or(() -> seen.pod()
                .flatMap(checkpoint::proof)
                .filter(pod -> pod.namespace().equals(seen.namespace()))
                .filter(pod -> !pod.reservation().equals(seen.uid()))
                .map(pod -> isNotWrittenFor(pod.name())));
    }

    private Optional<CheckpointedPod> evidence(Placeholder seen) {
        return seen.pod()
                .flatMap(checkpoint::find)
                .filter(pod -> pod.namespace().equals(seen.namespace()));
    }

    private static String isThere(Pod pod) {
        return "pod %s has not left its place".formatted(pod.name());
    }

    private static String isNotWrittenFor(String pod) {
        return "Berth did not write the Reservation for the place of pod %s".formatted(pod);
    }

    private Placeholder ignore(Placeholder seen, String why, Desk desk) {
        ignored.put(seen.uid(), seen.podUid());
        String note = "annotation %s (%s) is ignored: %s. The Reservation keeps a place of its own."
                .formatted(Words.PLACEHOLDER_UID, seen.podUid(), why);
        Petitions.complain(seen.subject(), note, desk);
        return seen.withoutPod();
    }
}
