package dev.berth.core.placement.equivalence;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.HostPorts;
import dev.berth.core.cluster.PodSpec;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.placement.table.ImageLocalityScores;
import dev.berth.core.placement.table.NodeRows;
import dev.berth.core.placement.table.NodeSuitability;
import dev.berth.core.placement.table.NodeTable;
import dev.berth.core.placement.table.ResourceChangeLog;
import dev.berth.core.placement.topologyspread.SpreadGroup;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The requirements and scores of pods of one class, prepared for speed. Each node has a <em>key</em>: the scores that
 * depend on that node alone, then its tie-break key, so that the greatest key is the best node; zero if the pod does
 * not fit. Nodes that are equal in everything that is normalized over all nodes are in one <em>bucket</em>.
 */
final class ClassScorer {
    /** Less than any amount: a resource that is not requested is not checked. */
    private static final long NOT_REQUESTED = Long.MIN_VALUE;

    private static final int KIND_SHIFT = 44;
    private static final int ZONE_SHIFT = 25;
    private static final long HOST_FLAG = 1L << 24;
    private static final int KEY_BITS = 31;
    private static final int TIE_BREAK_BITS = 63;

    private final NodeTable table;
    private final NodeSuitability suitability;
    private final ImageLocalityScores images;
    private final @Nullable SpreadGroup group;
    private final List<HostPort> ports;

    private final long cpu;
    private final long memory;
    private final int roundedCpu;
    private final int roundedMemory;
    private final boolean hasOtherRequests;
    private final List<ResourceName> otherResources;
    private final int[] otherColumns;
    private final long[] otherAmounts;

    private final ResourceScorer resourceScorer;
    /** Scores resources if the profile does not use the default scoring. */
    private final @Nullable CustomResourceScorer customResourceScorer;

    private final int imageWeight;
    private final int tieBreakBits;
    private final int tieBreakMask;
    private final ScoreWeights weights;

    ClassScorer(
            NodeTable table,
            PodSpec shape,
            NodeSuitability suitability,
            ImageLocalityScores images,
            Optional<SpreadGroup> group,
            Profile profile) {
        this.table = table;
        this.suitability = suitability;
        this.images = images;
        this.group = group.orElse(null);
        this.ports = shape.hostPorts();
        this.weights = profile.weights();
        this.resourceScorer = new ResourceScorer(shape, weights);
        this.customResourceScorer =
                profile.resourceScoring().isDefault() ? null : new CustomResourceScorer(shape, profile);
        this.cpu = orNotRequested(shape.requests().get(ResourceName.CPU));
        this.memory = orNotRequested(shape.requests().get(ResourceName.MEMORY));
        this.roundedCpu = (int) Math.min(Integer.MAX_VALUE, resourceScorer.requiredFreeCpu());
        this.roundedMemory = (int)
                Math.min(Integer.MAX_VALUE, resourceScorer.requiredFreeMemory() / ResourceChangeLog.MEMORY_UNIT + 1);
        this.otherResources = otherResources(shape.requests());
        this.otherColumns = otherResources.stream().mapToInt(table::columnOf).toArray();
        this.otherAmounts =
                otherResources.stream().mapToLong(shape.requests()::get).toArray();
        this.hasOtherRequests = otherColumns.length > 0 || !ports.isEmpty();
        this.imageWeight = weights.imageLocality();
        int most = 100 * (weights.leastAllocated() + weights.balancedAllocation() + weights.imageLocality());
        int lotBits = KEY_BITS - (Integer.SIZE - Integer.numberOfLeadingZeros(most + 1));
        this.tieBreakBits = lotBits;
        this.tieBreakMask = (1 << lotBits) - 1;
    }

    private static long orNotRequested(long amount) {
        return amount == 0 ? NOT_REQUESTED : amount;
    }

    private static List<ResourceName> otherResources(Resources requests) {
        return requests.toMap().entrySet().stream()
                .filter(entry -> entry.getValue() > 0)
                .map(entry -> entry.getKey())
                .filter(name -> !name.equals(ResourceName.CPU) && !name.equals(ResourceName.MEMORY))
                .toList();
    }

    NodeSuitability suitability() {
        return suitability;
    }

    ImageLocalityScores images() {
        return images;
    }

    Optional<SpreadGroup> group() {
        return Optional.ofNullable(group);
    }

    boolean hasSpreadGroup() {
        return group != null;
    }

    ScoreWeights weights() {
        return weights;
    }

    /** Updates the properties of the nodes themselves. Call this before anything else. */
    void refresh() {
        suitability.refresh();
        images.refresh();
        for (int i = 0; i < otherColumns.length; i++) {
            if (otherColumns[i] == NodeTable.NO_COLUMN) {
                otherColumns[i] = table.columnOf(otherResources.get(i));
            }
        }
    }

    /**
     * Computes keys from entries of the log, if the node is allowed for the pod; negative if the node itself must be
     * read.
     */
    void computeKeys(ResourceChangeLog log, int from, int to, ResourceScorer.ScoreBounds scoreBounds) {
        resourceScorer.scores(log, from, to, scoreBounds);
        double[] low = scoreBounds.low();
        double[] high = scoreBounds.high();
        int[] freeCpu = log.schedulableCpu();
        int[] freeMemory = log.schedulableMemory();
        int[] lots = log.tieBreaks();
        int[] keys = scoreBounds.keys();
        int unusedBits = KEY_BITS - tieBreakBits;
        for (int i = from; i < to; i++) {
            boolean told = roundedCpu <= freeCpu[i] && roundedMemory <= freeMemory[i] && low[i] == high[i];
            keys[i] = told ? encodeKey((int) low[i], lots[i] >>> unusedBits) : -1;
        }
        if (!images.isAllZero()) {
            addImageScores(log.slots(), from, to, keys);
        }
    }

    private void addImageScores(int[] slots, int from, int to, int[] keys) {
        for (int i = from; i < to; i++) {
            keys[i] += keys[i] < 0 ? 0 : (imageWeight * images.scoreAt(slots[i])) << tieBreakBits;
        }
    }

    /** Whether keys can be computed from entries of the log alone. They cannot if the pod or the scores need more. */
    boolean canScoreFromLog() {
        return !hasOtherRequests && customResourceScorer == null;
    }

    private int encodeKey(int score, int lot) {
        return ((score + 1) << tieBreakBits) | (tieBreakMask ^ lot);
    }

    /** The scores within a key. */
    int scoreOf(int key) {
        return (key >>> tieBreakBits) - 1;
    }

    boolean fits(int slot) {
        return fits(table.rows().values(), slot);
    }

    private boolean fits(long[] numbers, int slot) {
        int row = slot * NodeRows.WIDTH;
        return cpu <= numbers[row + NodeRows.FREE_CPU]
                && memory <= numbers[row + NodeRows.FREE_MEMORY]
                && numbers[row + NodeRows.FREE_PODS] >= 1
                && suitability.accepts(slot)
                && (!hasOtherRequests || otherRequestsFit(slot));
    }

    int key(int slot) {
        long[] numbers = table.rows().values();
        if (!fits(numbers, slot)) {
            return 0;
        }
        int row = slot * NodeRows.WIDTH;
        int amounts = customResourceScorer == null
                ? resourceScorer.score(numbers, row)
                : customResourceScorer.score(state(slot), Resources.NONE);
        int score = amounts + imageWeight * images.scoreAt(slot);
        int lot = (int) (numbers[row + NodeRows.TIE_BREAK] >>> (TIE_BREAK_BITS - tieBreakBits));
        return encodeKey(score, lot);
    }

    /**
     * The scores of a node that depend on it alone, computed for this node, if the pod may use these held resources.
     */
    int scoreWithHold(int slot, Resources own) {
        int amounts = customResourceScorer == null
                ? resourceScorer.exactScore(
                        table.rows().values(),
                        slot * NodeRows.WIDTH,
                        own.get(ResourceName.CPU),
                        own.get(ResourceName.MEMORY))
                : customResourceScorer.score(state(slot), own);
        return amounts + imageWeight * ImageLocalityScores.compute(table, images.names(), slot);
    }

    private NodeState state(int slot) {
        return table.stateAt(slot).orElseThrow();
    }

    private boolean otherRequestsFit(int slot) {
        for (int i = 0; i < otherColumns.length; i++) {
            if (otherColumns[i] == NodeTable.NO_COLUMN || otherAmounts[i] > table.free(otherColumns[i], slot)) {
                return false;
            }
        }
        return ports.isEmpty() || !HostPorts.conflict(ports, state(slot).ports());
    }

    /** The bucket key of a feasible node: its preference class and, where pods are spread, its zone and pod count. */
    long bucketKey(int slot) {
        return bucketKey(slot, suitability.kind(slot));
    }

    long bucketKey(int slot, int kindNumber) {
        long kind = (long) kindNumber << KIND_SHIFT;
        if (group == null) {
            return kind;
        }
        long zone = (long) table.zone(slot) << ZONE_SHIFT;
        return kind | zone | (table.hasHostname(slot) ? HOST_FLAG | group.countOnSlot(slot) : 0);
    }

    static int kindOf(long bucket) {
        return (int) (bucket >>> KIND_SHIFT);
    }

    static int zoneOf(long bucket) {
        return (int) (bucket >>> ZONE_SHIFT) & ((1 << (KIND_SHIFT - ZONE_SHIFT)) - 1);
    }

    static boolean hasHostname(long bucket) {
        return (bucket & HOST_FLAG) != 0;
    }

    static int podsOf(long bucket) {
        return (int) (bucket & (HOST_FLAG - 1));
    }
}
