package dev.berth.core.door.device;

import dev.berth.core.decision.MessageLimit;

/** What the status of a device or of a claim says. A claim that nobody uses has an empty phase. */
public record ObjectStatus(String phase, String reason, String message) {
    public static final String AVAILABLE = "Available";
    public static final String BOUND = "Bound";
    public static final String PENDING = "Pending";
    public static final String LOST = "Lost";

    public static final ObjectStatus NONE = new ObjectStatus("", "", "");

    public ObjectStatus {
        reason = MessageLimit.CONDITION.cut(reason);
        message = MessageLimit.CONDITION.cut(message);
    }
}
