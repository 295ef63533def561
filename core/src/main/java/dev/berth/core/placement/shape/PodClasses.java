package dev.berth.core.placement.shape;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodShape;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.placement.spread.SpreadGroup;
import dev.berth.core.placement.spread.SpreadIndex;
import dev.berth.core.placement.spread.SpreadSelectors;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.IntUnaryOperator;

/**
 * Pods that placement cannot tell apart are one class: the same shape, and the same others to be kept apart from. For
 * classes that come again a {@link Ranking} is kept, within bounds of memory; who did not come for longest makes room, but
 * only for one that comes more often, so that more classes than there is room for do not drive each other out in turn.
 */
public final class PodClasses {
    /** How many classes without a ranking are remembered. */
    private static final int REMEMBERED = 4096;

    private static final int TASTES = 64;

    private record Key(PodShape shape, Optional<SpreadGroup> group) {}

    private static final class Entry {
        final Ranking ranking;
        long bytes;
        long used;

        Entry(Ranking ranking) {
            this.ranking = ranking;
        }
    }

    private final NodeTable table;
    private final SpreadIndex spread;
    private final SpreadSelectors selectors;
    private final ScoreWeights weights;
    private final long capacity;
    private final Map<Key, Entry> ranked = new LinkedHashMap<>(64, 0.75f, true);
    private final Map<Key, Long> seen = newest(REMEMBERED);
    private final Map<Suitability.Taste, Suitability> tastes = newest(TASTES);
    private final Map<List<String>, ImageScores> imageScores = newest(TASTES);
    private final ImageScores noImages;
    private long bytes;
    private long decisions;

    /** @param capacity how many bytes the rankings may take together, about */
    public PodClasses(
            NodeTable table, SpreadIndex spread, SpreadSelectors selectors, ScoreWeights weights, long capacity) {
        this.table = table;
        this.spread = spread;
        this.selectors = selectors;
        this.weights = weights;
        this.capacity = capacity;
        this.noImages = new ImageScores(table, List.of());
    }
}
