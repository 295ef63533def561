package dev.berth.kubernetes.door.koordinator;

import dev.berth.core.door.koordinator.CurrentOwner;
import dev.berth.core.door.koordinator.ReservationCondition;
import dev.berth.core.door.koordinator.ReservationStatus;
import dev.berth.core.resource.Resources;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The texts of Berth's own columns in {@code kubectl get reservation}. A column of a CRD prints one field of the object,
 * so the texts are in the status. Koordinator's CRD has no such field: the API server drops it there, and nothing
 * depends on it.
 */
final class ReservationColumns {
    static final String FIELD = "berth";
    static final String UNTIL = "until";

    private static final int NAMED_OWNERS = 3;
    private static final int NAMED_RESOURCES = 4;

    private ReservationColumns() {}

    static Map<String, Object> of(ReservationStatus status, String until) {
        Map<String, Object> texts = new LinkedHashMap<>();
        texts.put(UNTIL, until);
        texts.put("size", amounts(status.allocatable()));
        texts.put("used", amounts(status.allocated().inDimensionsOf(status.allocatable())));
        texts.put(
                "owners",
                firstOf(
                        NAMED_OWNERS,
                        status.currentOwners().stream()
                                .map(ReservationColumns::owner)
                                .toList()));
        texts.put("reason", reason(status));
        return texts;
    }

    private static String amounts(Resources resources) {
        return firstOf(
                NAMED_RESOURCES,
                resources.toQuantities().entrySet().stream()
                        .map(amount -> amount.getValue() + " " + amount.getKey())
                        .toList());
    }

    private static String owner(CurrentOwner owner) {
        return owner.namespace() + "/" + owner.name();
    }

    /**
     * Why it is not placed, why owners cannot use it, or why it ended. The condition has Koordinator's reason for an end,
     * which is {@code Expired} also if the node was deleted: Koordinator deletes no other failed Reservations.
     */
    private static String reason(ReservationStatus status) {
        return status.conditions().stream()
                .filter(condition -> !condition.isTrue())
                .map(condition -> condition.type() == ReservationCondition.Type.READY && status.endedWithItsNode()
                        ? "NodeDeleted"
                        : condition.reason())
                .distinct()
                .collect(Collectors.joining(", "));
    }

    private static String firstOf(int limit, List<String> texts) {
        String named = texts.stream().limit(limit).collect(Collectors.joining(", "));
        return texts.size() > limit ? "%s + %d more...".formatted(named, texts.size() - limit) : named;
    }
}
