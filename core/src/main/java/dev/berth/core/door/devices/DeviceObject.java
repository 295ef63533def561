package dev.berth.core.door.devices;

/** An object of this door as the watch last showed it. */
sealed interface DeviceObject permits Device, DeviceClaim {
    DeviceObjectRef ref();

    DeviceObjectStatus status();

    default ObjectKey objectKey() {
        return new ObjectKey(this instanceof Device, ref().uid());
    }

    /** Devices come before claims: the status of a claim depends on its devices. */
    record ObjectKey(boolean isDevice, String uid) implements Comparable<ObjectKey> {
        @Override
        public int compareTo(ObjectKey other) {
            int byKind = Boolean.compare(other.isDevice, isDevice);
            return byKind != 0 ? byKind : uid.compareTo(other.uid);
        }

        String kind() {
            return isDevice ? "ExtendedResource" : "ExtendedResourceClaim";
        }
    }
}
