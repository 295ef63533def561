package dev.berth.kubernetes.watch;

import java.util.OptionalLong;

/** Versions of objects of one kind are whole numbers that grow; a server that has others cannot be asked about order. */
final class ResourceVersions {
    private ResourceVersions() {}

    static OptionalLong parse(String version) {
        try {
            return OptionalLong.of(Long.parseUnsignedLong(version));
        } catch (NumberFormatException opaque) {
            return OptionalLong.empty();
        }
    }

    /** Whether the one is surely not after the other. */
    static boolean isNotAfter(String version, String other) {
        OptionalLong left = parse(version);
        OptionalLong right = parse(other);
        return left.isPresent() && right.isPresent() && Long.compareUnsigned(left.getAsLong(), right.getAsLong()) <= 0;
    }
}
