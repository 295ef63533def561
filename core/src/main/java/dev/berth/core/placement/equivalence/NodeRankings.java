package dev.berth.core.placement.equivalence;

import dev.berth.core.cache.LruCache;
import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodSpec;
import dev.berth.core.cluster.TopologySpreadConstraint;
import dev.berth.core.placement.interpodaffinity.HiddenHolds;
import dev.berth.core.placement.interpodaffinity.InterPodConstraints;
import dev.berth.core.placement.interpodaffinity.ProfileView;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.table.ImageLocalityScores;
import dev.berth.core.placement.table.NodeTable;
import dev.berth.core.placement.table.StaticNodeFilters;
import dev.berth.core.placement.topologyspread.DefaultSelectorCache;
import dev.berth.core.placement.topologyspread.SpreadIndex;
import dev.berth.core.placement.topologyspread.VisibleSpreadGroup;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.IntFunction;

/**
 * The rankings of nodes for the pods of one profile. Pods that placement cannot distinguish are one class: the same
 * spec, and the same pods to be spread from. Classes that recur have a cached {@link NodeRanking}, within a limit of
 * bytes. The least recently used ranking is evicted, but only for a class that recurs more often. So classes beyond the
 * limit do not evict each other in turn.
 */
public final class NodeRankings implements ProfileView {
    /** The limit of remembered classes without a ranking. */
    private static final int MAX_SEEN = 4096;

    private static final int MAX_SHARED = 64;
    /** Each of the other caches may retain this part of the rankings' capacity. */
    public static final int CAPACITY_DIVISOR = 4;

    private static final int MEASURE_INTERVAL = 64;

    record NodeRankingKey(PodSpec spec, Optional<VisibleSpreadGroup> group) {}

    private static final class CachedRanking {
        final NodeRanking ranking;
        long bytes;
        long used;

        CachedRanking(NodeRanking ranking) {
            this.ranking = ranking;
        }
    }

    private final NodeTable table;
    private final SpreadIndex spread;
    private final DefaultSelectorCache selectors;
    private final Profile profile;
    private final long capacity;
    private final Map<NodeRankingKey, CachedRanking> rankings = new LinkedHashMap<>(64, 0.75f, true);
    private final DirtySlots dirtySlots = new DirtySlots();
    private final LruCache<NodeRankingKey, Long> seenAt;
    private final LruCache<StaticNodeFilters.StaticFilterKey, StaticNodeFilters> staticFilters;
    private final LruCache<ImageLocalityScores.ImageNames, ImageLocalityScores> imageLocalityScores;
    private long bytes;
    private long decisions;

    /** @param capacity about how many bytes the rankings and their classes may retain; the other caches retain less */
    public NodeRankings(
            NodeTable table, SpreadIndex spread, DefaultSelectorCache selectors, Profile profile, long capacity) {
        this.table = table;
        this.spread = spread;
        this.selectors = selectors;
        this.profile = profile;
        this.capacity = capacity;
        this.seenAt = new LruCache<>(MAX_SEEN, capacity / CAPACITY_DIVISOR);
        this.staticFilters = new LruCache<>(MAX_SHARED, capacity / CAPACITY_DIVISOR);
        this.imageLocalityScores = new LruCache<>(MAX_SHARED, capacity / CAPACITY_DIVISOR);
    }

    /** The best node, without any hold; empty if no node is feasible. */
    public Optional<ScoredNode> best(Pod pod, HiddenHolds hidden) {
        decisions++;
        NodeRankingKey key = keyOf(pod, hidden);
        CachedRanking cachedRanking = rankings.get(key);
        if (cachedRanking == null) {
            Optional<Long> before = seenAt.put(key, decisions, key.spec.retainedBytes());
            if (before.isEmpty() || !evictUnusedSince(before.get())) {
                return new FullScan(table, scorer(key)).best();
            }
            cachedRanking = new CachedRanking(ranking(key));
            rankings.put(key, cachedRanking);
            seenAt.remove(key);
        }
        cachedRanking.used = decisions;
        cachedRanking.ranking.refresh();
        if (cachedRanking.bytes == 0 || decisions % MEASURE_INTERVAL == 0) {
            bytes -= cachedRanking.bytes;
            cachedRanking.bytes = cachedRanking.ranking.bytes() + key.spec.retainedBytes();
            bytes += cachedRanking.bytes;
        }
        return cachedRanking.ranking.isUsable()
                ? cachedRanking.ranking.best()
                : new FullScan(table, scorer(key)).best();
    }

    /** Something is cached for the class beyond this placement. */
    void pin(NodeRankingKey key) {
        key.group.ifPresent(VisibleSpreadGroup::pin);
    }

    void unpin(NodeRankingKey key) {
        key.group.ifPresent(VisibleSpreadGroup::unpin);
    }

    private NodeRanking ranking(NodeRankingKey key) {
        pin(key);
        return new NodeRanking(table, scorer(key), dirtySlots);
    }

    /** @param hidden the holds that the pod does not see */
    NodeRankingKey keyOf(Pod pod, HiddenHolds hidden) {
        boolean byDefault = profile.spreadDefaults().system()
                && pod.spec().topologySpreadConstraints().isEmpty();
        LabelSelector selector = byDefault ? selectors.selectorFor(pod) : LabelSelector.EVERYTHING;
        return new NodeRankingKey(
                pod.spec(),
                selector.isEmpty()
                        ? Optional.empty()
                        : Optional.of(new VisibleSpreadGroup(
                                spread.findOrCreateGroup(pod.namespace(), selector),
                                hidden.spreadCounts(pod.namespace(), selector))));
    }

    /** Evicts rankings that were not used since then, until one more fits. */
    private boolean evictUnusedSince(long lastSeen) {
        long averageBytes = rankings.isEmpty() ? 0 : bytes / rankings.size();
        Iterator<Map.Entry<NodeRankingKey, CachedRanking>> eldest =
                rankings.entrySet().iterator();
        while (bytes + averageBytes > capacity && eldest.hasNext()) {
            Map.Entry<NodeRankingKey, CachedRanking> candidate = eldest.next();
            if (candidate.getValue().used > lastSeen) {
                return false;
            }
            bytes -= candidate.getValue().bytes;
            unpin(candidate.getKey());
            eldest.remove();
        }
        return bytes + averageBytes <= capacity;
    }

    /** The best node for a pod with inter-pod constraints, without any hold; empty if no node is feasible. */
    public Optional<ScoredNode> best(Pod pod, HiddenHolds hidden, InterPodConstraints interPodConstraints) {
        return new AffinityScan(table, scorer(keyOf(pod, hidden)), interPodConstraints).best();
    }

    @Override
    public Profile profile() {
        return profile;
    }

    @Override
    public StaticNodeFilters staticFilters(PodSpec spec) {
        StaticNodeFilters.StaticFilterKey staticFilterKey = StaticNodeFilters.StaticFilterKey.of(spec);
        return staticFilters.computeIfAbsent(
                staticFilterKey, spec.retainedBytes(), key -> new StaticNodeFilters(table, spec, profile));
    }

    @Override
    public List<TopologySpreadConstraint> spreadConstraints(Pod pod) {
        List<TopologySpreadConstraint> own = pod.spec().topologySpreadConstraints();
        return own.isEmpty() && !profile.spreadDefaults().constraints().isEmpty()
                ? profile.spreadDefaults().constraintsFor(selectors.selectorFor(pod))
                : own;
    }

    ClassScorer scorer(NodeRankingKey key) {
        PodSpec spec = key.spec;
        return new ClassScorer(table, spec, staticFilters(spec), images(spec), key.group, profile);
    }

    private ImageLocalityScores images(PodSpec spec) {
        ImageLocalityScores.ImageNames names = ImageLocalityScores.ImageNames.of(spec);
        return imageLocalityScores.computeIfAbsent(
                names, spec.retainedBytes(), key -> new ImageLocalityScores(table, key));
    }

    /** The total of each slot; empty if the node is not feasible. */
    public IntFunction<OptionalLong> totals(
            Pod pod, HiddenHolds hidden, Optional<InterPodConstraints> interPodConstraints) {
        ClassScorer classScorer = scorer(keyOf(pod, hidden));
        return interPodConstraints.isPresent()
                ? new AffinityScan(table, classScorer, interPodConstraints.get())::total
                : new FullScan(table, classScorer)::total;
    }

    /** A shortlist whose scores are normalized over the nodes that are added to it. */
    public Shortlist shortlist(Pod pod, HiddenHolds hidden, Optional<InterPodConstraints> interPodConstraints) {
        ClassScorer classScorer = scorer(keyOf(pod, hidden));
        ZoneCounts counts = new ZoneCounts(table, classScorer);
        if (counts.hasNodeConstraints()) {
            classScorer.refresh();
            for (int slot = 0; slot < table.slotBound(); slot++) {
                counts.update(slot);
            }
        }
        return new Shortlist(table, classScorer, counts::inDomain, interPodConstraints);
    }

    /**
     * A shortlist for a pod that only these nodes are allowed for. Such a pod does not recur, so nothing is computed
     * for other nodes.
     *
     * @param allowed the slots that the pod's own node constraints allow
     */
    public Shortlist shortlist(
            Pod pod, HiddenHolds hidden, Optional<InterPodConstraints> interPodConstraints, List<Integer> allowed) {
        ClassScorer classScorer = scorer(keyOf(pod, hidden));
        Map<Integer, Integer> counts = new HashMap<>();
        classScorer
                .group()
                .ifPresent(group -> allowed.forEach(
                        slot -> counts.merge(table.domainOf(slot), group.countOnSlot(slot), Integer::sum)));
        return new Shortlist(table, classScorer, domain -> counts.getOrDefault(domain, 0), interPodConstraints);
    }
}
