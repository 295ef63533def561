package dev.berth.core.door.devices;

import dev.berth.core.fact.Fact;
import dev.berth.core.hold.Origin;

/** Changes of devices and of claims. */
public sealed interface DeviceFact extends Fact.ComponentFact {
    @Override
    default Origin.DoorId component() {
        return Origin.DoorId.DEVICES;
    }

    record DeviceUpserted(Device device) implements DeviceFact {}

    record DeviceDeleted(String uid) implements DeviceFact {}

    record ClaimUpserted(DeviceClaim claim) implements DeviceFact {}

    record ClaimDeleted(String uid) implements DeviceFact {}
}
