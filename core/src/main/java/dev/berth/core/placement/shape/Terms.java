package dev.berth.core.placement.shape;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.HostPorts;
import dev.berth.core.cluster.PodShape;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.placement.spread.SpreadGroup;
import dev.berth.core.placement.table.AmountLog;
import dev.berth.core.placement.table.ImageScores;
import dev.berth.core.placement.table.NodeTable;
import dev.berth.core.placement.table.Rows;
import dev.berth.core.placement.table.Suitability;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What pods of one class ask of a node and what it is worth to them, made ready for speed. For each node there is a
 * <em>key</em>: the scores that depend on that node alone, then its lot, so that the greatest key is the best node; zero
 * where the pod does not fit. Nodes that are the same in everything that is compared over all nodes are in one
 * <em>bucket</em>.
 */
final class Terms {
    /** Never more than anything: what is not asked for is not checked. */
    private static final long NOTHING = Long.MIN_VALUE;

    private static final int KIND_AT = 44;
    private static final int ZONE_AT = 25;
    private static final long HOST = 1L << 24;
    private static final int KEY_BITS = 31;
    private static final int LOT_BITS = 63;

    private final NodeTable table;
    private final Suitability suitability;
    private final ImageScores images;
    private final @Nullable SpreadGroup group;
    private final List<HostPort> ports;

    private final long cpu;
    private final long memory;
    private final int roughCpu;
    private final int roughMemory;
    private final boolean asksMore;
    private final List<ResourceName> others;
    private final int[] dimensions;
    private final long[] amounts;

    private final ResourceTerms resources;
    /** Scores amounts where the profile does not do it as usual. */
    private final @Nullable UnusualTerms unusual;

    private final int imageWeight;
    private final int lotShift;
    private final int lotMask;
    private final ScoreWeights weights;

    Terms(
            NodeTable table,
            PodShape shape,
            Suitability suitability,
            ImageScores images,
            Optional<SpreadGroup> group,
            Profile profile) {
        this.table = table;
        this.suitability = suitability;
        this.images = images;
        this.group = group.orElse(null);
        this.ports = shape.hostPorts();
        this.weights = profile.weights();
        this.resources = new ResourceTerms(shape, weights);
        this.unusual = profile.resources().isUsual() ? null : new UnusualTerms(shape, profile);
        this.cpu = needed(shape.requests().get(ResourceName.CPU));
        this.memory = needed(shape.requests().get(ResourceName.MEMORY));
        this.roughCpu = (int) Math.min(Integer.MAX_VALUE, resources.leastCpu());
        this.roughMemory = (int) Math.min(Integer.MAX_VALUE, resources.leastMemory() / AmountLog.MEMORY_UNIT + 1);
        this.others = others(shape.requests());
        this.dimensions = others.stream().mapToInt(table::dimension).toArray();
        this.amounts = others.stream().mapToLong(shape.requests()::get).toArray();
        this.asksMore = dimensions.length > 0 || !ports.isEmpty();
        this.imageWeight = weights.imageLocality();
        int most = 100 * (weights.leastAllocated() + weights.balancedAllocation() + weights.imageLocality());
        int lotBits = KEY_BITS - (Integer.SIZE - Integer.numberOfLeadingZeros(most + 1));
        this.lotShift = lotBits;
        this.lotMask = (1 << lotBits) - 1;
    }

    private static long needed(long amount) {
        return amount == 0 ? NOTHING : amount;
    }

    private static List<ResourceName> others(Resources requests) {
        return requests.toMap().entrySet().stream()
                .filter(entry -> entry.getValue() > 0)
                .map(entry -> entry.getKey())
                .filter(name -> !name.equals(ResourceName.CPU) && !name.equals(ResourceName.MEMORY))
                .toList();
    }

    Suitability suitability() {
        return suitability;
    }

    ImageScores images() {
        return images;
    }

    Optional<SpreadGroup> group() {
        return Optional.ofNullable(group);
    }

    boolean spreads() {
        return group != null;
    }

    ScoreWeights weights() {
        return weights;
    }

    /** Brings what is kept about the nodes themselves up to date. Comes before everything else. */
    void repair() {
        suitability.repair();
        images.repair();
        for (int i = 0; i < dimensions.length; i++) {
            if (dimensions[i] == NodeTable.NOWHERE) {
                dimensions[i] = table.dimension(others.get(i));
            }
        }
    }

    /**
     * Works out the keys that follow from entries of the log, if the pod may go to their nodes; negative where only the
     * node itself can tell.
     */
    void keys(AmountLog log, int from, int to, ResourceTerms.Brackets brackets) {
        resources.scores(log, from, to, brackets);
        double[] low = brackets.low();
        double[] high = brackets.high();
        int[] roomCpu = log.roomCpu();
        int[] roomMemory = log.roomMemory();
        int[] lots = log.lots();
        int[] keys = brackets.keys();
        int unusedBits = KEY_BITS - lotShift;
        for (int i = from; i < to; i++) {
            boolean told = roughCpu <= roomCpu[i] && roughMemory <= roomMemory[i] && low[i] == high[i];
            keys[i] = told ? key((int) low[i], lots[i] >>> unusedBits) : -1;
        }
        if (!images.isNowhere()) {
            addImages(log.slots(), from, to, keys);
        }
    }

    private void addImages(int[] slots, int from, int to, int[] keys) {
        for (int i = from; i < to; i++) {
            keys[i] += keys[i] < 0 ? 0 : (imageWeight * images.at(slots[i])) << lotShift;
        }
    }

    /** Whether entries of the log tell keys at all: not where the pod or the scores ask for more than they say. */
    boolean areToldByLog() {
        return !asksMore && unusual == null;
    }

    private int key(int score, int lot) {
        return ((score + 1) << lotShift) | (lotMask ^ lot);
    }

    /** The scores within a key. */
    int scoreOf(int key) {
        return (key >>> lotShift) - 1;
    }

    boolean fits(int slot) {
        return fits(table.rows().numbers(), slot);
    }

    private boolean fits(long[] numbers, int slot) {
        int row = slot * Rows.WIDTH;
        return cpu <= numbers[row + Rows.FREE_CPU]
                && memory <= numbers[row + Rows.FREE_MEMORY]
                && numbers[row + Rows.FREE_PODS] >= 1
                && suitability.takes(slot)
                && (!asksMore || restFits(slot));
    }

    int key(int slot) {
        long[] numbers = table.rows().numbers();
        if (!fits(numbers, slot)) {
            return 0;
        }
        int row = slot * Rows.WIDTH;
        int amounts = unusual == null ? resources.score(numbers, row) : unusual.score(state(slot), Resources.NONE);
        int score = amounts + imageWeight * images.at(slot);
        int lot = (int) (numbers[row + Rows.LOT] >>> (LOT_BITS - lotShift));
        return key(score, lot);
    }

    /**
     * The scores of a node that depend on it alone, found out for this node alone, when so much of what holds keep there is
     * the pod's own.
     */
    int scoreWith(int slot, Resources own) {
        int amounts = unusual == null
                ? resources.exact(
                        table.rows().numbers(),
                        slot * Rows.WIDTH,
                        own.get(ResourceName.CPU),
                        own.get(ResourceName.MEMORY))
                : unusual.score(state(slot), own);
        return amounts + imageWeight * ImageScores.of(table, images.names(), slot);
    }

    private NodeState state(int slot) {
        return table.state(slot).orElseThrow();
    }

    private boolean restFits(int slot) {
        for (int i = 0; i < dimensions.length; i++) {
            if (dimensions[i] == NodeTable.NOWHERE || amounts[i] > table.free(dimensions[i], slot)) {
                return false;
            }
        }
        return ports.isEmpty() || !HostPorts.conflict(ports, state(slot).ports());
    }

    /** The bucket of a node that takes the pod: its kind and, where pods are spread, its zone and how many it has. */
    long bucket(int slot) {
        return bucket(slot, suitability.kind(slot));
    }

    long bucket(int slot, int kindNumber) {
        long kind = (long) kindNumber << KIND_AT;
        if (group == null) {
            return kind;
        }
        long zone = (long) table.zone(slot) << ZONE_AT;
        return kind | zone | (table.hasHostname(slot) ? HOST | group.onSlot(slot) : 0);
    }

    static int kindOf(long bucket) {
        return (int) (bucket >>> KIND_AT);
    }

    static int zoneOf(long bucket) {
        return (int) (bucket >>> ZONE_AT) & ((1 << (KIND_AT - ZONE_AT)) - 1);
    }

    static boolean hasHost(long bucket) {
        return (bucket & HOST) != 0;
    }

    static int podsOf(long bucket) {
        return (int) (bucket & (HOST - 1));
    }
}
