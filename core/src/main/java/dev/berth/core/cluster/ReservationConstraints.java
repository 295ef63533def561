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
 * @param ignored whether the pod is placed as if there were no Reservations, so that it may take what they hold. It never
 *     uses a Reservation then, whatever its affinity says. Only placement reads this: a claim that exists stays a claim
 */
public record ReservationConstraints(
        Optional<ReservationAffinity> affinity,
        List<ResourceName> exactMatch,
        Optional<String> problem,
        boolean ignored) {
    /** The label by which a pod ignores Reservations, if its value is {@code true}. */
    public static final String IGNORED_LABEL = "scheduling.koordinator.sh/reservation-ignored";

    /** Of a pod without such labels and annotations. */
    public static final ReservationConstraints NONE =
            new ReservationConstraints(Optional.empty(), List.of(), Optional.empty());

    /** Of a pod that ignores Reservations and has no such annotations. */
    private static final ReservationConstraints ONLY_IGNORED =
            new ReservationConstraints(Optional.empty(), List.of(), Optional.empty(), true);

    public ReservationConstraints {
        exactMatch = List.copyOf(exactMatch);
    }

    /** Of a pod that does not ignore Reservations. */
    public ReservationConstraints(
            Optional<ReservationAffinity> affinity, List<ResourceName> exactMatch, Optional<String> problem) {
        this(affinity, exactMatch, problem, false);
    }

    public static ReservationConstraints ofAffinity(ReservationAffinity affinity) {
        return new ReservationConstraints(Optional.of(affinity), List.of(), Optional.empty());
    }

    /** The same of a pod with these labels, which may say that the pod ignores Reservations. */
    public ReservationConstraints withLabels(Labels labels) {
        if (!labels.has(IGNORED_LABEL, "true")) {
            return this;
        }
        return equals(NONE) ? ONLY_IGNORED : new ReservationConstraints(affinity, exactMatch, problem, true);
    }

    /** Whether the pod must use a Reservation. */
    public boolean areRequired() {
        return affinity.isPresent() && !ignored;
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
        return findInexact(requests, size).isEmpty();
    }

    /** The first resource of the exact match whose request differs from the size of the Reservation. */
    public Optional<ResourceName> findInexact(Resources requests, Resources size) {
        for (ResourceName name : exactMatch) {
            if (requestOf(name, requests) != size.get(name)) {
                return Optional.of(name);
            }
        }
        return Optional.empty();
    }

    /** The request that an exact match compares. */
    public static long requestOf(ResourceName name, Resources requests) {
        return name.equals(ResourceName.PODS) ? 1 : requests.get(name);
    }

    boolean tolerates(Taint taint) {
        return affinity.isPresent() && affinity.get().tolerates(taint);
    }
}
