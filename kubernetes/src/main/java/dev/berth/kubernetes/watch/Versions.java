package dev.berth.kubernetes.watch;

import java.util.OptionalLong;

/** Versions of objects of one kind are whole numbers that grow; a server that has others cannot be asked about order. */
final class Versions {
    private Versions() {}

    static OptionalLong number(String version) {
        try {
            return OptionalLong.of(Long.parseUnsignedLong(version));
        } catch (NumberFormatException opaque) {
            return OptionalLong.empty();
        }
    }

    /** Whether the one is surely not after the other. */
    static boolean notAfter(String version, String other) {
        OptionalLong left = number(version);
        OptionalLong right = number(other);
        return left.isPresent() && right.isPresent() && Long.compareUnsigned(left.getAsLong(), right.getAsLong()) <= 0;
    }
}
