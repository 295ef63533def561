package dev.berth.core.door.koordinator;

import dev.berth.core.effect.MessageLimit;
import java.time.Instant;

/** A condition in the status of a reservation. */
public record ReservationCondition(
        Type type, boolean isTrue, String reason, String message, Instant lastProbeTime, Instant lastTransitionTime) {
    public enum Type {
        SCHEDULED("Scheduled"),
        READY("Ready"),
        /** Berth's own: whether owners can use the node. Present only while they cannot. */
        NODE_USABLE("NodeUsable"),
        /** Berth's own: present only while the reservation holds no resources. */
        KEEPS_RESOURCES("ResourcesReserved"),
        /** Berth's own: present only while an owner matches no pod because of its kind. */
        OWNERS_USABLE("OwnersUsable"),
        /** Berth's own: present only while fields have no effect or are probably not meant. */
        FIELDS_KNOWN("FieldsValid"),
        /** Berth's own: present only while {@code spec.unschedulable} keeps further pods away. */
        SCHEDULABLE("Schedulable"),
        /** Berth's own: present only while the template requests another size than is held. */
        RESIZED("Resized"),
        /** Berth's own: present only while the template requires a different node. */
        PLACEMENT_CURRENT("PlacementCurrent"),
        /**
         * Berth's own: present while preemption makes room for the reservation. The message is the node's name.
         * Koordinator's schema has no other place for it.
         */
        NODE_NOMINATED("NodeNominated"),
        /** Berth's own: the running pods that the reservation takes over. Present only while there are any. */
        PRE_ALLOCATED("PreAllocated");

        private final String value;

        Type(String value) {
            this.value = value;
        }

        public String value() {
            return value;
        }
    }

    public ReservationCondition {
        message = MessageLimit.CONDITION.truncate(message);
    }

    /** Whether the other condition has the same status, reason and message, which may have been truncated. */
    boolean hasSameTextAs(ReservationCondition other) {
        return isTrue == other.isTrue && reason.equals(other.reason) && message.equals(other.message);
    }

    /** The record of a nominated node, as Berth writes it. */
    public static ReservationCondition nominatedNode(String node, Instant since) {
        return new ReservationCondition(Type.NODE_NOMINATED, true, "Preempting", node, since, since);
    }

    static ReservationCondition of(Instant now, Type type, boolean holds, String reason) {
        return new ReservationCondition(type, holds, reason, "", now, now);
    }
}
