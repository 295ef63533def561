package dev.berth.embedded.kubelet;

import java.util.BitSet;

/** The addresses of one node's pods: a range of 256 in the nodes' order, handed out in turn. */
final class Addresses {
    private static final int POD_RANGE = 10 << 24;
    private static final int NODE_RANGE = (172 << 24) | (16 << 16);
    private static final int RANGE_SIZE = 256;

    private final int base;
    private final BitSet taken = new BitSet(RANGE_SIZE);
    private int last;

    private Addresses(int base) {
        this.base = base;
        // The first names the range itself, the second its gateway.
        taken.set(0, 2);
        this.last = 1;
    }

    static String nodeAddress(int number) {
        return text(NODE_RANGE + number + 2);
    }

    static String podRange(int number) {
        return text(POD_RANGE + number * RANGE_SIZE) + "/24";
    }

    /** The number of the node whose range that is; -1 when it is none of ours. */
    static int placeOf(String range) {
        int slash = range.indexOf('/');
        int base = number(slash < 0 ? range : range.substring(0, slash)) - POD_RANGE;
        return base < 0 ? -1 : base / RANGE_SIZE;
    }

    /** The addresses of a range written like {@code 10.0.7.0/24}; only its first address is looked at. */
    static Addresses of(String range) {
        int slash = range.indexOf('/');
        return new Addresses(number(slash < 0 ? range : range.substring(0, slash)));
    }

    /** The next free address; beyond the range's size addresses are shared, for nothing is ever sent to them. */
    String take() {
        int free = taken.nextClearBit(last + 1);
        if (free >= RANGE_SIZE) {
            free = taken.nextClearBit(0);
        }
        int offset = free < RANGE_SIZE ? free : RANGE_SIZE - 1;
        taken.set(offset);
        last = offset;
        return text(base + offset);
    }

    /** Takes an address that a pod has already. */
    void take(String address) {
        int offset = number(address) - base;
        if (offset > 0 && offset < RANGE_SIZE) {
            taken.set(offset);
        }
    }

    void giveBack(String address) {
        int offset = number(address) - base;
        if (offset > 1 && offset < RANGE_SIZE) {
            taken.clear(offset);
        }
    }

    private static String text(int address) {
        return "%d.%d.%d.%d".formatted(address >>> 24, (address >>> 16) & 255, (address >>> 8) & 255, address & 255);
    }

    private static int number(String address) {
        int number = 0;
        for (String part : address.split("\\.", -1)) {
            try {
                number = (number << 8) | (Integer.parseInt(part) & 255);
            } catch (NumberFormatException notDotted) {
                return 0;
            }
        }
        return number;
    }
}
