package dev.berth.kubernetes.watch;

import java.util.OptionalLong;

/** Compares resourceVersions of one kind, which are growing integers. Versions of other forms have no order. */
final class ResourceVersions {
    private ResourceVersions() {}

    static OptionalLong parse(String version) {
        try {
            return OptionalLong.of(Long.parseUnsignedLong(version));
        } catch (NumberFormatException opaque) {
            return OptionalLong.empty();
        }
    }

    /** Whether the version is certainly not after the other. */
    static boolean isNotAfter(String version, String other) {
        OptionalLong left = parse(version);
        OptionalLong right = parse(other);
        return left.isPresent() && right.isPresent() && Long.compareUnsigned(left.getAsLong(), right.getAsLong()) <= 0;
    }
}
