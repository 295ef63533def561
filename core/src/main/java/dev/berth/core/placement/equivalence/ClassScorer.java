package dev.berth.core.placement.equivalence;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.PodSpec;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.filter.NodePorts;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.placement.table.ImageLocalityScores;
import dev.berth.core.placement.table.NodeRows;
import dev.berth.core.placement.table.NodeTable;
import dev.berth.core.placement.table.ResourceChangeLog;
import dev.berth.core.placement.table.SlotChangeLog;
import dev.berth.core.placement.table.StaticNodeFilters;
import dev.berth.core.placement.topologyspread.VisibleSpreadGroup;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The requirements and scores of pods of one class, prepared for speed. Each node has a <em>key</em>: the scores that
 * depend on that node alone, then its tie-break key, so that the greatest key is the best node; zero if the pod does
 * not fit. Nodes that are equal in everything that is normalized over all nodes are in one <em>bucket</em>.
 *
 * <p>{@link #fits} filters nodes as {@code NodeFilter} does. It compares the requests with the columns of the table, as
 * {@link dev.berth.core.placement.filter.NodeResourcesFit} compares them with the resources of one node.
 */
final class ClassScorer {
    /** Less than any amount: a resource that is not requested is not checked. */
    private static final long NOT_REQUESTED = Long.MIN_VALUE;

    private static final int PREFERENCE_CLASS_SHIFT = 44;
    private static final int ZONE_SHIFT = 25;
    private static final long HOST_FLAG = 1L << 24;
    private static final int KEY_BITS = 31;
    private static final int TIE_BREAK_BITS = 63;

    private final NodeTable table;
    private final StaticNodeFilters staticFilters;
    private final ImageLocalityScores images;
    private final @Nullable VisibleSpreadGroup group;
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
            PodSpec spec,
            StaticNodeFilters staticFilters,
            ImageLocalityScores images,
            Optional<VisibleSpreadGroup> group,
            Profile profile) {
        this.table = table;
        this.staticFilters = staticFilters;
        this.images = images;
        this.group = group.orElse(null);
        this.ports = spec.hostPorts();
        this.weights = profile.weights();
        this.resourceScorer = new ResourceScorer(spec, weights);
        this.customResourceScorer =
                profile.resourceScoring().isDefault() ? null : new CustomResourceScorer(spec, profile);
        this.cpu = orNotRequested(spec.requests().get(ResourceName.CPU));
        this.memory = orNotRequested(spec.requests().get(ResourceName.MEMORY));
        this.roundedCpu = (int) Math.min(Integer.MAX_VALUE, resourceScorer.requiredFreeCpu());
        this.roundedMemory = (int)
                Math.min(Integer.MAX_VALUE, resourceScorer.requiredFreeMemory() / ResourceChangeLog.MEMORY_UNIT + 1);
        this.otherResources = otherResources(spec.requests());
        this.otherColumns = otherResources.stream().mapToInt(table::columnOf).toArray();
        this.otherAmounts =
                otherResources.stream().mapToLong(spec.requests()::get).toArray();
        this.hasOtherRequests = otherColumns.length > 0 || !ports.isEmpty();
        this.imageWeight = weights.imageLocality();
        int bits = KEY_BITS - (Integer.SIZE - Integer.numberOfLeadingZeros(maxOwnScore() + 1));
        this.tieBreakBits = bits;
        this.tieBreakMask = (1 << bits) - 1;
    }

    /** The greatest score of a node that depends on it alone. */
    int maxOwnScore() {
        return 100 * (weights.leastAllocated() + weights.balancedAllocation() + weights.imageLocality());
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

    StaticNodeFilters staticFilters() {
        return staticFilters;
    }

    ImageLocalityScores images() {
        return images;
    }

    Optional<VisibleSpreadGroup> group() {
        return Optional.ofNullable(group);
    }

    /** The changes of the spread group's counts; an empty log without a group. */
    SlotChangeLog groupChanges() {
        return group == null ? new SlotChangeLog(1) : group.changes();
    }

    boolean hasSpreadGroup() {
        return group != null;
    }

    ScoreWeights weights() {
        return weights;
    }

    /** Updates the properties of the nodes themselves. Call this before anything else. */
    void refresh() {
        staticFilters.refresh();
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
        int[] tieBreaks = log.tieBreaks();
        int[] keys = scoreBounds.keys();
        int unusedBits = KEY_BITS - tieBreakBits;
        for (int i = from; i < to; i++) {
            boolean isExact = roundedCpu <= freeCpu[i] && roundedMemory <= freeMemory[i] && low[i] == high[i];
            keys[i] = isExact ? encodeKey((int) low[i], tieBreaks[i] >>> unusedBits) : -1;
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

    /** Whether pods of the class request no other resources and no host ports. */
    boolean needsOnlyCpuAndMemory() {
        return !hasOtherRequests;
    }

    /** Whether keys can be computed from entries of the log alone. They cannot if the pod or the scores need more. */
    boolean canScoreFromLog() {
        return !hasOtherRequests && customResourceScorer == null;
    }

    private int encodeKey(int score, int tieBreak) {
        return ((score + 1) << tieBreakBits) | (tieBreakMask ^ tieBreak);
    }

    /** The scores within a key. */
    int scoreOf(int key) {
        return (key >>> tieBreakBits) - 1;
    }

    /** Whether the node is feasible without a hold, apart from inter-pod constraints, volumes and devices. */
    boolean fits(int slot) {
        return fits(table.rows().values(), slot);
    }

    private boolean fits(long[] numbers, int slot) {
        int row = slot * NodeRows.WIDTH;
        return cpu <= numbers[row + NodeRows.FREE_CPU]
                && memory <= numbers[row + NodeRows.FREE_MEMORY]
                && numbers[row + NodeRows.FREE_PODS] >= 1
                && staticFilters.passesStaticFilters(slot)
                && (!hasOtherRequests || otherRequestsFit(slot));
    }

    int key(int slot) {
        long[] numbers = table.rows().values();
        if (!fits(numbers, slot)) {
            return 0;
        }
        int row = slot * NodeRows.WIDTH;
        int resourceScore = customResourceScorer == null
                ? resourceScorer.score(numbers, row)
                : customResourceScorer.score(state(slot), Resources.NONE);
        int score = resourceScore + imageWeight * images.scoreAt(slot);
        int tieBreak = (int) (numbers[row + NodeRows.TIE_BREAK] >>> (TIE_BREAK_BITS - tieBreakBits));
        return encodeKey(score, tieBreak);
    }

    /**
     * The scores of a node that depend on it alone, computed for this node, if the pod may use these held resources.
     */
    int scoreWithHold(int slot, Resources heldResources) {
        return resourceScoreWithHold(slot, heldResources)
                + imageWeight * ImageLocalityScores.compute(table, images.names(), slot);
    }

    /** The same, after {@link #refresh}. */
    int refreshedScoreWithHold(int slot, Resources heldResources) {
        return resourceScoreWithHold(slot, heldResources) + imageWeight * images.scoreAt(slot);
    }

    private int resourceScoreWithHold(int slot, Resources heldResources) {
        return customResourceScorer == null
                ? resourceScorer.exactScore(
                        table.rows().values(),
                        slot * NodeRows.WIDTH,
                        heldResources.get(ResourceName.CPU),
                        heldResources.get(ResourceName.MEMORY))
                : customResourceScorer.score(state(slot), heldResources);
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
        return ports.isEmpty() || NodePorts.findConflict(ports, state(slot)).isEmpty();
    }

    /** The bucket key of a feasible node: its preference class and, where pods are spread, its zone and pod count. */
    long bucketKey(int slot) {
        return bucketKey(slot, staticFilters.preferenceClass(slot));
    }

    long bucketKey(int slot, int preferenceClassNumber) {
        long preferenceClass = (long) preferenceClassNumber << PREFERENCE_CLASS_SHIFT;
        if (group == null) {
            return preferenceClass;
        }
        long zone = (long) table.zone(slot) << ZONE_SHIFT;
        return preferenceClass | zone | (table.hasHostname(slot) ? HOST_FLAG | group.countOnSlot(slot) : 0);
    }

    static int preferenceClassOf(long bucket) {
        return (int) (bucket >>> PREFERENCE_CLASS_SHIFT);
    }

    static int zoneOf(long bucket) {
        return (int) (bucket >>> ZONE_SHIFT) & ((1 << (PREFERENCE_CLASS_SHIFT - ZONE_SHIFT)) - 1);
    }

    static boolean hasHostname(long bucket) {
        return (bucket & HOST_FLAG) != 0;
    }

    static int podsOf(long bucket) {
        return (int) (bucket & (HOST_FLAG - 1));
    }
}
