package dev.berth.sandbox.kubelet;

import java.util.BitSet;

/** The addresses of one node's pods: a range of 256 in the nodes' order, assigned in turn. */
final class PodIpPool {
    private static final int POD_CIDR_BASE = 10 << 24;
    private static final int NODE_CIDR_BASE = (172 << 24) | (16 << 16);
    private static final int CIDR_SIZE = 256;

    private final int base;
    private final BitSet taken = new BitSet(CIDR_SIZE);
    private int last;

    private PodIpPool(int base) {
        this.base = base;
        // The first names the range itself, the second its gateway.
        taken.set(0, 2);
        this.last = 1;
    }

    static String nodeIp(int number) {
        return formatIp(NODE_CIDR_BASE + number + 2);
    }

    static String podCidr(int number) {
        return formatIp(POD_CIDR_BASE + number * CIDR_SIZE) + "/24";
    }

    /** The number of the node whose range that is; -1 when the range is not from this pool. */
    static int nodeNumberOf(String range) {
        int slash = range.indexOf('/');
        int base = parseIp(slash < 0 ? range : range.substring(0, slash)) - POD_CIDR_BASE;
        return base < 0 ? -1 : base / CIDR_SIZE;
    }

    /** The addresses of a range written like {@code 10.0.7.0/24}; only its first address is looked at. */
    static PodIpPool of(String range) {
        int slash = range.indexOf('/');
        return new PodIpPool(parseIp(slash < 0 ? range : range.substring(0, slash)));
    }

    /** The next free address; beyond the size of the range addresses are shared, because no traffic is sent to them. */
    String allocate() {
        int free = taken.nextClearBit(last + 1);
        if (free >= CIDR_SIZE) {
            free = taken.nextClearBit(0);
        }
        int offset = free < CIDR_SIZE ? free : CIDR_SIZE - 1;
        taken.set(offset);
        last = offset;
        return formatIp(base + offset);
    }

    /** Takes an address that a pod has already. */
    void markAllocated(String address) {
        int offset = parseIp(address) - base;
        if (offset > 0 && offset < CIDR_SIZE) {
            taken.set(offset);
        }
    }

    void release(String address) {
        int offset = parseIp(address) - base;
        if (offset > 1 && offset < CIDR_SIZE) {
            taken.clear(offset);
        }
    }

    private static String formatIp(int address) {
        return "%d.%d.%d.%d".formatted(address >>> 24, (address >>> 16) & 255, (address >>> 8) & 255, address & 255);
    }

    private static int parseIp(String address) {
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
