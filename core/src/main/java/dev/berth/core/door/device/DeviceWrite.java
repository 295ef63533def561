package dev.berth.core.door.device;

import dev.berth.core.decision.Effect;
import dev.berth.core.hold.Origin;

/** Brings what a device or a claim says of itself to what is. The version of the object is a precondition. */
public sealed interface DeviceWrite extends Effect.Write {
    ObjectRef ref();

    ObjectStatus status();

    @Override
    default Origin.Door door() {
        return Origin.Door.DEVICES;
    }

    /** Phase and claim of a device. */
    record OfDevice(ObjectRef ref, Device.Link link, ObjectStatus status) implements DeviceWrite {
        @Override
        public String key() {
            return "extendedresource %s of %s".formatted(ref, ref.group());
        }
    }

    /** Phase, devices and pod of a claim. */
    record OfClaim(ObjectRef ref, DeviceClaim.Written written, ObjectStatus status) implements DeviceWrite {
        @Override
        public String key() {
            return "extendedresourceclaim %s of %s".formatted(ref, ref.group());
        }
    }
}
