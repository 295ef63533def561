package dev.berth.core.door.comeback;

import dev.berth.core.decision.Desk;
import dev.berth.core.door.comeback.PlaceId.PodKey;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Which Reservations Berth wrote for pods that left. Tenants can write Reservations with all annotations that Berth writes,
 * but no checkpoint: a Reservation is Berth's if the checkpoint has the pod, and it keeps no more than the pod used.
 */
final class Proofs {
    private static final Comparator<Placeholder> BY_AGE =
            Comparator.comparing(Placeholder::created).thenComparing(Placeholder::uid);

    private Proofs() {}

    /** Tells those of the Reservations that Berth wrote, one at most for each pod. */
    static Predicate<KeptEntry> of(Collection<KeptEntry> all, Checkpoint checkpoint, Desk desk) {
        Map<PodKey, String> proven = new HashMap<>();
        all.stream()
                .map(entry -> entry.seen)
                .filter(seen -> evidence(seen, checkpoint)
                        .filter(pod -> isProof(pod, seen, desk))
                        .isPresent())
                .sorted(BY_AGE)
                .forEach(seen -> seen.leftBy().ifPresent(pod -> proven.putIfAbsent(pod, seen.uid())));
        return entry -> entry.seen
                .leftBy()
                .filter(pod -> entry.seen.uid().equals(proven.get(pod)))
                .isPresent();
    }

    private static Optional<CheckpointedPod> evidence(Placeholder seen, Checkpoint checkpoint) {
        return seen.pod().flatMap(checkpoint::find);
    }

    /** Whether the entry says that another Reservation keeps the place, or that none did when it was last written. */
    static boolean speaksAgainst(CheckpointedPod pod, Placeholder seen) {
        return pod.reservation().isEmpty()
                ? pod.leavesPlace()
                : !pod.reservation().equals(seen.uid());
    }

    /** A process that is killed before it saw the Reservation that it wrote has not written its UID. */
    private static boolean isProof(CheckpointedPod pod, Placeholder seen, Desk desk) {
        boolean isNamed = pod.reservation().isEmpty()
                ? pod.leavesPlace()
                : pod.reservation().equals(seen.uid());
        return isNamed
                && pod.namespace().equals(seen.namespace())
                && pod.node().equals(seen.node())
                && pod.key().equals(seen.key())
                && isGone(pod, desk)
                && isWithin(seen, pod)
                && (!pod.reservation().isEmpty() || isWhole(seen, pod));
    }

    private static boolean isWithin(Placeholder seen, CheckpointedPod pod) {
        return seen.size().isWithin(Places.sizeOf(pod.pod()))
                && Set.copyOf(pod.ports()).containsAll(seen.ports());
    }

    /** Berth writes all that the pod used. One that is smaller, and not known, is a tenant's. */
    private static boolean isWhole(Placeholder seen, CheckpointedPod pod) {
        return Places.sizeOf(pod.pod()).withoutZeros().isWithin(seen.size())
                && Set.copyOf(seen.ports()).containsAll(pod.ports());
    }

    private static boolean isGone(CheckpointedPod pod, Desk desk) {
        return desk.ledger()
                .pod(pod.uid())
                .filter(there -> !there.phase().terminal())
                .isEmpty();
    }
}
