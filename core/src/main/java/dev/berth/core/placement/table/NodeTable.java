package dev.berth.core.placement.table;

import dev.berth.core.cluster.Node;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.score.Lot;
import dev.berth.core.placement.score.ResourceScore;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The nodes as rows of numbers by slot: what a pod of any shape is measured against. A row is two cache lines, so that
 * one node costs one or two misses however many shapes there are.
 */
public final class NodeTable {
    public static final int ROW = 16;
    public static final int FREE_CPU = 0;
    public static final int FREE_MEMORY = 1;
    /** Of an empty slot this is negative, so that nothing fits there. */
    public static final int FREE_PODS = 2;

    public static final int CPU = 3;
    public static final int MEMORY = 4;
    /** As LeastAllocated counts it: pods with their assumed minimum, and what holds keep. */
    public static final int SCORED_CPU = 5;

    public static final int SCORED_MEMORY = 6;
    /** As BalancedAllocation counts it: real requests, and what holds keep. */
    public static final int TAKEN_CPU = 7;

    public static final int TAKEN_MEMORY = 8;
    public static final int BALANCE = 9;
    public static final int LOT = 10;
    /** The reciprocal of the capacity as the bits of a double; zero where the capacity is none or too large to be exact. */
    public static final int PER_CPU = 11;

    public static final int PER_MEMORY = 12;

    private static final int LOG = 1 << 16;
    private static final int OLD_LOG = 1 << 12;

    /** Larger amounts than this do not occur; sums of two stay within a long. */
    private static final long LARGEST = Long.MAX_VALUE / 4;

    /** A hundred times this is still exact as a double. */
    private static final long EXACT = 1L << 45;

    private final Zones zones = new Zones();
    private final Images images = new Images();
    private final SlotLog changedAmounts = new SlotLog(LOG);
    private final SlotLog changedNodes = new SlotLog(OLD_LOG);
    private final Map<ResourceName, Integer> dimensions = new HashMap<>();
    private final List<long[]> freeOfDimension = new ArrayList<>();

    private long[] rows = new long[0];
    private @Nullable NodeState[] states = new NodeState[0];
    private int[] zone = new int[0];
    private int[] seat = new int[0];
    private boolean[] host = new boolean[0];
    private int bound;
    private int nodes;
    private long layout;

    public int bound() {
        return bound;
    }

    public int nodes() {
        return nodes;
    }

    public Optional<NodeState> state(int slot) {
        return slot < bound ? Optional.ofNullable(states[slot]) : Optional.empty();
    }

    public int domainOf(int slot) {
        return Zones.domain(zone[slot]);
    }

    public long[] rows() {
        return rows;
    }

    Images images() {
        return images;
    }

    public SlotLog changedAmounts() {
        return changedAmounts;
    }

    /** The slots where the node itself is another, or other than it was. */
    public SlotLog changedNodes() {
        return changedNodes;
    }

    /** Grows whenever a node takes a seat or leaves it. */
    public long layout() {
        return layout;
    }

    public int zone(int slot) {
        return zone[slot];
    }

    public int seat(int slot) {
        return seat[slot];
    }

    public boolean hasHostname(int slot) {
        return host[slot];
    }

    /** All seats taken in the zone are below this number. */
    public int seats(int zone) {
        return zones.seats(zone);
    }

    public int slotAt(int zone, int seat) {
        return zones.slotAt(zone, seat);
    }

    /** Whether the first of two nodes comes before the second when their scores are equal. */
    public boolean precedes(int slot, int other) {
        long lot = rows[slot * ROW + LOT];
        long otherLot = rows[other * ROW + LOT];
        if (lot != otherLot) {
            return lot < otherLot;
        }
        return name(slot).compareTo(name(other)) < 0;
    }

    private String name(int slot) {
        return state(slot).map(state -> state.node().name()).orElse("");
    }

    /** The column of a resource other than cpu, memory and pod slots. */
    public int dimension(ResourceName name) {
        Integer known = dimensions.get(name);
        if (known != null) {
            return known;
        }
        int dimension = freeOfDimension.size();
        dimensions.put(name, dimension);
        long[] column = new long[Math.max(states.length, 1)];
        for (int slot = 0; slot < bound; slot++) {
            NodeState state = states[slot];
            column[slot] = state == null ? 0 : state.free().get(name);
        }
        freeOfDimension.add(column);
        return dimension;
    }

    public long free(int dimension, int slot) {
        return freeOfDimension.get(dimension)[slot];
    }

    /** Takes over the node in the slot as it is now, or that there is none. */
    public void load(int slot, Optional<NodeState> now) {
        ensure(slot + 1);
        Optional<Node> before = Optional.ofNullable(states[slot]).map(NodeState::node);
        Optional<Node> after = now.map(NodeState::node);
        states[slot] = now.orElse(null);
        if (!isSame(before, after)) {
            replace(slot, before, after);
        }
        if (now.isPresent()) {
            fill(slot, now.get());
        } else {
            Arrays.fill(rows, slot * ROW, (slot + 1) * ROW, 0);
            rows[slot * ROW + FREE_PODS] = -1;
        }
        changedAmounts.add(slot);
    }

    @SuppressWarnings("ReferenceEquality") // A node that did not change is the same object; one that did costs a look.
    private static boolean isSame(Optional<Node> before, Optional<Node> after) {
        return before.orElse(null) == after.orElse(null);
    }

    private void replace(int slot, Optional<Node> before, Optional<Node> after) {
        images.replace(slot, before, after);
        int newZone = after.map(zones::zoneOf).orElse(-1);
        boolean another = !before.map(Node::uid).equals(after.map(Node::uid));
        if (another || newZone != zone[slot]) {
            before.ifPresent(node -> zones.leaveSeat(zone[slot], seat[slot]));
            after.ifPresent(node -> seat[slot] = zones.takeSeat(newZone, slot));
            zone[slot] = Math.max(newZone, 0);
            layout++;
        }
        int change = (after.isPresent() ? 1 : 0) - (before.isPresent() ? 1 : 0);
        if (change != 0) {
            nodes += change;
            images.nodeCountChanged();
        }
        after.ifPresent(node -> {
            rows[slot * ROW + LOT] = Lot.of(node.name());
            host[slot] = node.labels().has(Node.HOSTNAME_LABEL);
        });
        changedNodes.add(slot);
    }

    private void fill(int slot, NodeState state) {
        Resources free = state.free();
        Resources capacity = state.node().allocatable();
        long heldCpu = state.outstanding().get(ResourceName.CPU);
        long heldMemory = state.outstanding().get(ResourceName.MEMORY);
        int row = slot * ROW;
        rows[row + FREE_CPU] = free.get(ResourceName.CPU);
        rows[row + FREE_MEMORY] = free.get(ResourceName.MEMORY);
        rows[row + FREE_PODS] = free.get(ResourceName.PODS);
        rows[row + CPU] = capacity.get(ResourceName.CPU);
        rows[row + MEMORY] = capacity.get(ResourceName.MEMORY);
        rows[row + SCORED_CPU] = sum(state.scoringUsed().get(ResourceName.CPU), heldCpu);
        rows[row + SCORED_MEMORY] = sum(state.scoringUsed().get(ResourceName.MEMORY), heldMemory);
        rows[row + TAKEN_CPU] = sum(state.used().get(ResourceName.CPU), heldCpu);
        rows[row + TAKEN_MEMORY] = sum(state.used().get(ResourceName.MEMORY), heldMemory);
        rows[row + BALANCE] = ResourceScore.balance(
                rows[row + TAKEN_CPU], rows[row + CPU], rows[row + TAKEN_MEMORY], rows[row + MEMORY]);
        rows[row + PER_CPU] = reciprocal(rows[row + CPU]);
        rows[row + PER_MEMORY] = reciprocal(rows[row + MEMORY]);
        for (Map.Entry<ResourceName, Integer> dimension : dimensions.entrySet()) {
            freeOfDimension.get(dimension.getValue())[slot] = free.get(dimension.getKey());
        }
    }

    private static long reciprocal(long capacity) {
        return capacity <= 0 || capacity > EXACT ? 0 : Double.doubleToRawLongBits(1.0 / capacity);
    }

    private static long sum(long used, long held) {
        return Math.min(Math.min(used, LARGEST) + Math.min(held, LARGEST), LARGEST);
    }

    private void ensure(int slots) {
        if (slots > states.length) {
            int known = states.length;
            int size = Math.max(slots, known + known / 2 + 16);
            rows = Arrays.copyOf(rows, size * ROW);
            for (int slot = known; slot < size; slot++) {
                rows[slot * ROW + FREE_PODS] = -1;
            }
            states = Arrays.copyOf(states, size);
            zone = Arrays.copyOf(zone, size);
            seat = Arrays.copyOf(seat, size);
            host = Arrays.copyOf(host, size);
            freeOfDimension.replaceAll(column -> Arrays.copyOf(column, size));
        }
        bound = Math.max(bound, slots);
    }
}
