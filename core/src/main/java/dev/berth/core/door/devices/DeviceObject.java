package dev.berth.core.door.devices;

import java.util.Comparator;

/** An object of this door as the watch last showed it. */
sealed interface DeviceObject permits Device, DeviceClaim {
    DeviceObjectRef ref();

    DeviceObjectStatus status();

    default ObjectKey objectKey() {
        String uid = ref().uid();
        return this instanceof Device ? ObjectKey.ofDevice(uid) : ObjectKey.ofClaim(uid);
    }

    /** Devices come before claims: the status of a claim depends on its devices. */
    enum Kind {
        DEVICE("ExtendedResource"),
        CLAIM("ExtendedResourceClaim");

        private final String value;

        Kind(String value) {
            this.value = value;
        }

        /** The kind as the API server names it. */
        String value() {
            return value;
        }
    }

    record ObjectKey(Kind kind, String uid) implements Comparable<ObjectKey> {
        private static final Comparator<ObjectKey> ORDER =
                Comparator.comparing(ObjectKey::kind).thenComparing(ObjectKey::uid);

        static ObjectKey ofDevice(String uid) {
            return new ObjectKey(Kind.DEVICE, uid);
        }

        static ObjectKey ofClaim(String uid) {
            return new ObjectKey(Kind.CLAIM, uid);
        }

        @Override
        public int compareTo(ObjectKey other) {
            return ORDER.compare(this, other);
        }
    }
}
