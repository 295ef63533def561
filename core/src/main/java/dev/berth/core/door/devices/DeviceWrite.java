package dev.berth.core.door.devices;

import dev.berth.core.effect.Effect;
import dev.berth.core.hold.Origin;

/** Writes the status and the binding of a device or a claim. The version of the object is a precondition. */
public sealed interface DeviceWrite extends Effect.Write {
    DeviceObjectRef ref();

    DeviceObjectStatus status();

    @Override
    default Origin.DoorId component() {
        return Origin.DoorId.DEVICES;
    }

    /** Phase and claim of a device. */
    record UpdateDevice(DeviceObjectRef ref, Device.DeviceBinding binding, DeviceObjectStatus status)
            implements DeviceWrite {
        @Override
        public String key() {
            return "extendedresource %s of %s".formatted(ref, ref.group());
        }
    }

    /** Phase, devices and pod of a claim. */
    record UpdateClaim(DeviceObjectRef ref, DeviceClaim.DeviceClaimAllocation allocation, DeviceObjectStatus status)
            implements DeviceWrite {
        @Override
        public String key() {
            return "extendedresourceclaim %s of %s".formatted(ref, ref.group());
        }
    }
}
