package dev.berth.core.placement.shape;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodShape;
import dev.berth.core.cluster.neighbour.SpreadConstraint;
import dev.berth.core.placement.neighbour.Neighbourhood;
import dev.berth.core.placement.neighbour.Outlook;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.spread.SpreadGroup;
import dev.berth.core.placement.spread.SpreadIndex;
import dev.berth.core.placement.spread.SpreadSelectors;
import dev.berth.core.placement.table.ImageScores;
import dev.berth.core.placement.table.NodeTable;
import dev.berth.core.placement.table.Suitability;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.IntFunction;

/**
 * The pods of one profile. Those that placement cannot tell apart are one class: the same shape, and the same others to be kept apart from. For
 * classes that come again a {@link Ranking} is kept, within bounds of memory; who did not come for longest makes room, but
 * only for one that comes more often, so that more classes than there is room for do not drive each other out in turn.
 */
public final class PodClasses implements Outlook {
    /** How many classes without a ranking are remembered. */
    private static final int REMEMBERED = 4096;

    private static final int TASTES = 64;
    /** What is kept besides the rankings may each take this part of their capacity. */
    private static final int SHARE = 4;

    private static final int WEIGHED_EVERY = 64;

    record Key(PodShape shape, Optional<SpreadGroup> group) {}

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
    private final Profile profile;
    private final long capacity;
    private final Map<Key, Entry> ranked = new LinkedHashMap<>(64, 0.75f, true);
    private final Gathering gathering = new Gathering();
    private final Recent<Key, Long> seen;
    private final Recent<Suitability.Taste, Suitability> tastes;
    private final Recent<ImageScores.Names, ImageScores> imageScores;
    private long bytes;
    private long decisions;

    /** @param capacity how many bytes the rankings and their classes may take together, about; what is kept besides takes less */
    public PodClasses(NodeTable table, SpreadIndex spread, SpreadSelectors selectors, Profile profile, long capacity) {
        this.table = table;
        this.spread = spread;
        this.selectors = selectors;
        this.profile = profile;
        this.capacity = capacity;
        this.seen = new Recent<>(REMEMBERED, capacity / SHARE);
        this.tastes = new Recent<>(TASTES, capacity / SHARE);
        this.imageScores = new Recent<>(TASTES, capacity / SHARE);
    }

    /** The best node of all, without any hold; empty when none takes the pod. */
    public Optional<Choice> best(Pod pod) {
        decisions++;
        Key key = keyOf(pod);
        Entry entry = ranked.get(key);
        if (entry == null) {
            Optional<Long> before = seen.put(key, decisions, key.shape.retainedBytes());
            if (before.isEmpty() || !makeRoom(before.get())) {
                return new Scan(table, terms(key)).best();
            }
            entry = new Entry(ranking(key));
            ranked.put(key, entry);
            seen.remove(key);
        }
        entry.used = decisions;
        entry.ranking.repair();
        if (entry.bytes == 0 || decisions % WEIGHED_EVERY == 0) {
            bytes -= entry.bytes;
            entry.bytes = entry.ranking.bytes() + key.shape.retainedBytes();
            bytes += entry.bytes;
        }
        return entry.ranking.isOfUse() ? entry.ranking.best() : new Scan(table, terms(key)).best();
    }

    /** Something is kept for the class beyond the decision at hand. */
    void pin(Key key) {
        key.group.ifPresent(SpreadGroup::pin);
    }

    void unpin(Key key) {
        key.group.ifPresent(SpreadGroup::unpin);
    }

    private Ranking ranking(Key key) {
        pin(key);
        return new Ranking(table, terms(key), gathering);
    }

    Key keyOf(Pod pod) {
        boolean byDefault = profile.spread().system() && pod.shape().spread().isEmpty();
        LabelSelector selector = byDefault ? selectors.of(pod) : LabelSelector.EVERYTHING;
        return new Key(
                pod.shape(),
                selector.isEmpty() ? Optional.empty() : Optional.of(spread.group(pod.namespace(), selector)));
    }

    /** Drops rankings that were not used since then, for as long as there is no room for one more. */
    private boolean makeRoom(long lastSeen) {
        long usual = ranked.isEmpty() ? 0 : bytes / ranked.size();
        Iterator<Map.Entry<Key, Entry>> eldest = ranked.entrySet().iterator();
        while (bytes + usual > capacity && eldest.hasNext()) {
            Map.Entry<Key, Entry> candidate = eldest.next();
            if (candidate.getValue().used > lastSeen) {
                return false;
            }
            bytes -= candidate.getValue().bytes;
            unpin(candidate.getKey());
            eldest.remove();
        }
        return bytes + usual <= capacity;
    }

    /** The best node of all for a pod to which others matter, without any hold; empty when none takes the pod. */
    public Optional<Choice> best(Pod pod, Neighbourhood neighbourhood) {
        return new CrowdedScan(table, terms(keyOf(pod)), neighbourhood).best();
    }

    @Override
    public Profile profile() {
        return profile;
    }

    @Override
    public Suitability suitability(PodShape shape) {
        Suitability.Taste taste = Suitability.Taste.of(shape);
        return tastes.find(taste).orElseGet(() -> {
            Suitability fresh = new Suitability(table, shape, profile);
            tastes.put(taste, fresh, shape.retainedBytes());
            return fresh;
        });
    }

    @Override
    public List<SpreadConstraint> spread(Pod pod) {
        List<SpreadConstraint> own = pod.shape().spread();
        return own.isEmpty() && !profile.spread().constraints().isEmpty()
                ? profile.spread().among(selectors.of(pod))
                : own;
    }

    Terms terms(Key key) {
        PodShape shape = key.shape;
        return new Terms(table, shape, suitability(shape), images(shape), key.group, profile);
    }

    private ImageScores images(PodShape shape) {
        ImageScores.Names names = ImageScores.Names.of(shape);
        return imageScores.find(names).orElseGet(() -> {
            ImageScores fresh = new ImageScores(table, names);
            imageScores.put(names, fresh, shape.retainedBytes());
            return fresh;
        });
    }

    /** The total of each slot; empty where the node does not take the pod. */
    public IntFunction<OptionalLong> totals(Pod pod, Optional<Neighbourhood> neighbourhood) {
        Terms terms = terms(keyOf(pod));
        return neighbourhood.isPresent()
                ? new CrowdedScan(table, terms, neighbourhood.get())::total
                : new Scan(table, terms)::total;
    }

    /** A comparison of nodes named one by one, among all that the pod may go to. */
    public Shortlist shortlist(Pod pod, Optional<Neighbourhood> neighbourhood) {
        Terms terms = terms(keyOf(pod));
        ZoneCounts counts = new ZoneCounts(table, terms);
        if (counts.restricted()) {
            terms.repair();
            for (int slot = 0; slot < table.bound(); slot++) {
                counts.update(slot);
            }
        }
        return new Shortlist(table, terms, counts::in, neighbourhood);
    }

    /**
     * A comparison of nodes named one by one, for a pod that may go to these alone: its like does not come again, so
     * nothing is worked out for other nodes.
     *
     * @param allowed the slots to which the pod may go by its own rules
     */
    public Shortlist shortlist(Pod pod, Optional<Neighbourhood> neighbourhood, List<Integer> allowed) {
        Terms terms = terms(keyOf(pod));
        Map<Integer, Integer> counts = new HashMap<>();
        terms.group()
                .ifPresent(group ->
                        allowed.forEach(slot -> counts.merge(table.domainOf(slot), group.onSlot(slot), Integer::sum)));
        return new Shortlist(table, terms, domain -> counts.getOrDefault(domain, 0), neighbourhood);
    }
}
