package dev.berth.core.door.koordinator;

import dev.berth.core.effect.MessageLimit;
import java.time.Instant;

/** One thing that a reservation's status says of it, and since when. */
public record ReservationCondition(
        Type type, boolean isTrue, String reason, String message, Instant lastProbeTime, Instant lastTransitionTime) {
    /** What is said. */
    public enum Type {
        SCHEDULED("Scheduled"),
        READY("Ready"),
        /** Berth's own: whether owners can come to the node. Said only while they cannot. */
        NODE_USABLE("NodeUsable"),
        /** Berth's own: said only while it keeps none. */
        KEEPS_RESOURCES("ResourcesReserved"),
        /** Berth's own: said only while an owner matches no pod by the kind that it names. */
        OWNERS_USABLE("OwnersUsable"),
        /** Berth's own: said only while the template has fields that Kubernetes does not have. */
        FIELDS_KNOWN("FieldsValid"),
        /** Berth's own: said only while the template asks for another size than is kept. */
        RESIZED("Resized"),
        /** Berth's own: said only while the template names another node than the place is on. */
        MOVED("Moved");

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

    static ReservationCondition of(Instant now, Type type, boolean holds, String reason) {
        return new ReservationCondition(type, holds, reason, "", now, now);
    }
}
