package dev.berth.core.placement.table;

import dev.berth.core.cluster.Node;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Small numbers for zones, and for each node a seat in its zone: a number that is small among the nodes of the zone, so
 * that tables by zone have no holes. Nodes without a zone have one of their own.
 */
public final class Zones {
    public static final int NONE = 0;
    private static final int EMPTY = 1;

    private final Map<String, Integer> numbers = new HashMap<>();
    private final List<Seats> seats = new ArrayList<>(List.of(new Seats(), new Seats()));

    private static final class Seats {
        final BitSet taken = new BitSet();
        int[] slots = new int[16];
    }

    int zoneOf(Node node) {
        Optional<String> label = node.labels().get(Node.ZONE_LABEL);
        if (label.isEmpty()) {
            return NONE;
        }
        if (label.get().isEmpty()) {
            return EMPTY;
        }
        return numbers.computeIfAbsent(label.get(), name -> {
            seats.add(new Seats());
            return seats.size() - 1;
        });
    }

    /** Nodes without a zone are one domain with those whose zone is called nothing: Kubernetes counts them as one. */
    public static int domain(int zone) {
        return zone <= EMPTY ? 0 : zone - 1;
    }

    int takeSeat(int zone, int slot) {
        Seats ofZone = seats.get(zone);
        int seat = ofZone.taken.nextClearBit(0);
        ofZone.taken.set(seat);
        if (seat >= ofZone.slots.length) {
            ofZone.slots = Arrays.copyOf(ofZone.slots, seat * 2);
        }
        ofZone.slots[seat] = slot;
        return seat;
    }

    void leaveSeat(int zone, int seat) {
        seats.get(zone).taken.clear(seat);
    }

    int seats(int zone) {
        return seats.get(zone).taken.length();
    }

    int slotAt(int zone, int seat) {
        return seats.get(zone).slots[seat];
    }
}
