package dev.berth.core.door.device;

import dev.berth.core.decision.Fact;
import dev.berth.core.hold.Origin;

/** News of devices and of claims on them. */
public sealed interface DeviceFact extends Fact.OfDoor {
    @Override
    default Origin.Door door() {
        return Origin.Door.DEVICES;
    }

    record DeviceSeen(Device device) implements DeviceFact {}

    record DeviceGone(String uid) implements DeviceFact {}

    record ClaimSeen(DeviceClaim claim) implements DeviceFact {}

    record ClaimGone(String uid) implements DeviceFact {}
}
