package dev.berth.core.door.devices;

import dev.berth.core.effect.MessageLimit;

/** The status of a device or of a claim. A claim that no pod has, has an empty phase. */
public record DeviceObjectStatus(String phase, String reason, String message) {
    public static final String AVAILABLE = "Available";
    public static final String BOUND = "Bound";
    public static final String PENDING = "Pending";
    public static final String LOST = "Lost";

    public static final DeviceObjectStatus NONE = new DeviceObjectStatus("", "", "");

    public DeviceObjectStatus {
        reason = MessageLimit.CONDITION.truncate(reason);
        message = MessageLimit.CONDITION.truncate(message);
    }
}
