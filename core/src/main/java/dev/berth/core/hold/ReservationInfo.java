package dev.berth.core.hold;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.ReservationAffinity;
import java.time.Instant;
import java.util.Optional;

/**
 * What pods select a Reservation by, and what decides between Reservations that fit a pod equally.
 *
 * @param order smaller first; {@link #UNORDERED} if the author gave none
 */
public record ReservationInfo(String name, Labels labels, long order, Instant created) {
    public static final long UNORDERED = Long.MAX_VALUE;

    /** Koordinator's label for the order. */
    public static final String ORDER_LABEL = "scheduling.koordinator.sh/reservation-order";

    /** The order that the labels say. As in Koordinator, zero and values that are no integers mean no order. */
    public static ReservationInfo of(String name, Labels labels, Instant created) {
        return new ReservationInfo(
                name,
                labels,
                labels.get(ORDER_LABEL).map(ReservationInfo::parseOrder).orElse(UNORDERED),
                created);
    }

    /**
     * Whether a pod with this affinity can use it. A pod without an affinity does not select by name and labels.
     *
     * @param nodeLabels the labels of its node
     */
    public boolean isSelectedBy(Optional<ReservationAffinity> affinity, Labels nodeLabels) {
        return affinity.isEmpty() || affinity.get().matches(name, labels, nodeLabels);
    }

    private static long parseOrder(String text) {
        try {
            long order = Long.parseLong(text);
            return order == 0 ? UNORDERED : order;
        } catch (NumberFormatException notAnInteger) {
            return UNORDERED;
        }
    }
}
