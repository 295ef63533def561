package dev.berth.core.door.koordinator;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The condition by which the status records the running pods that a reservation takes over. {@code currentOwners} lists
 * these pods and the pods that use the reservation, so it cannot tell them apart. The condition is part of the same write
 * as the node, and tenants cannot write it.
 */
final class PreAllocatedCondition {
    private static final String REASON = "PodsRunning";
    private static final String MESSAGE =
            "the Reservation takes over the resources of these pods of currentOwners when they end: ";
    private static final String SEPARATOR = ", ";

    private PreAllocatedCondition() {}

    /** The UIDs of the pods that the reservation takes over. */
    static Set<PodUid> podsIn(ReservationStatus status) {
        Set<PodUid> pods = new TreeSet<>();
        status.findCondition(ReservationCondition.Type.PRE_ALLOCATED)
                .filter(condition -> condition.isTrue() && condition.message().startsWith(MESSAGE))
                .ifPresent(condition -> {
                    for (String uid :
                            condition.message().substring(MESSAGE.length()).split(SEPARATOR, -1)) {
                        if (!uid.isBlank()) {
                            pods.add(new PodUid(uid));
                        }
                    }
                });
        return pods;
    }

    /** The status that records these pods; the same status if it does already. */
    static ReservationStatus apply(ReservationStatus status, List<Pod> pods, Instant now) {
        if (pods.isEmpty()) {
            return status.withoutCondition(ReservationCondition.Type.PRE_ALLOCATED);
        }
        String message = MESSAGE
                + pods.stream()
                        .map(Pod::uid)
                        .sorted(Comparator.naturalOrder())
                        .map(PodUid::value)
                        .collect(Collectors.joining(SEPARATOR));
        return status.withUpdatedCondition(ReservationCondition.Type.PRE_ALLOCATED, true, REASON, message, now);
    }
}
