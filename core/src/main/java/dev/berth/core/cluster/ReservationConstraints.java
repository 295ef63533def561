package dev.berth.core.cluster;

import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.util.List;
import java.util.Optional;

/**
 * What a pod says by Koordinator's labels and annotations about the Reservations that it uses.
 *
 * @param affinity if present, the pod must use a Reservation that matches
 * @param exactMatch the resources whose request must equal the size of the Reservation
 * @param problem why an annotation is malformed, as a message for users; the pod is not scheduled then
 */
public record ReservationConstraints(
        Optional<ReservationAffinity> affinity, List<ResourceName> exactMatch, Optional<String> problem) {
    /** Of a pod without such labels and annotations. */
    public static final ReservationConstraints NONE =
            new ReservationConstraints(Optional.empty(), List.of(), Optional.empty());

    public ReservationConstraints {
        exactMatch = List.copyOf(exactMatch);
    }

    public static ReservationConstraints ofAffinity(ReservationAffinity affinity) {
        return new ReservationConstraints(Optional.of(affinity), List.of(), Optional.empty());
    }

    /** Whether the pod can use only some of the Reservations that it owns. */
    public boolean isSelective() {
        return affinity.isPresent() || !exactMatch.isEmpty();
    }

    /** Whether the pod names the Reservation that it must use. */
    public boolean isByName() {
        return affinity.flatMap(ReservationAffinity::name).isPresent();
    }

    /** Whether the pod names this Reservation. */
    public boolean isNamed(String reservation) {
        return affinity.flatMap(ReservationAffinity::name).equals(Optional.of(reservation));
    }

    /**
     * Whether the requests equal the size of the Reservation in the resources of the exact match. A resource that is missing
     * counts as zero; a pod takes one pod slot.
     */
    public boolean hasExactSize(Resources requests, Resources size) {
        for (ResourceName name : exactMatch) {
            long requested = name.equals(ResourceName.PODS) ? 1 : requests.get(name);
            if (requested != size.get(name)) {
                return false;
            }
        }
        return true;
    }

    boolean tolerates(Taint taint) {
        return affinity.isPresent() && affinity.get().tolerates(taint);
    }
}
