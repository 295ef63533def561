package dev.berth.core.door.reservation;

import dev.berth.core.decision.MessageLimit;
import java.time.Instant;

/** One thing that a reservation's status says of it, and since when. */
public record Condition(Type type, boolean holds, String reason, String message, Instant probed, Instant changed) {
    /** What is said. */
    public enum Type {
        SCHEDULED("Scheduled"),
        READY("Ready"),
        /** Berth's own: whether owners can come to the node. Said only while they cannot. */
        NODE_USABLE("NodeUsable"),
        /** Berth's own: said only while it keeps none. */
        KEEPS_RESOURCES("KeepsResources"),
        /** Berth's own: said only while an owner matches no pod by the kind that it names. */
        OWNERS_USABLE("OwnersUsable"),
        /** Berth's own: said only while the template has fields that Kubernetes does not have. */
        FIELDS_KNOWN("FieldsKnown"),
        /** Berth's own: said only while the template asks for another size than is kept. */
        RESIZED("Resized"),
        /** Berth's own: said only while the template names another node than the place is on. */
        MOVED("Moved");

        private final String word;

        Type(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }
    }

    public Condition {
        message = MessageLimit.CONDITION.cut(message);
    }

    static Condition since(Instant now, Type type, boolean holds, String reason) {
        return new Condition(type, holds, reason, "", now, now);
    }
}
