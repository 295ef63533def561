package dev.berth.core.placement.interpodaffinity;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodAffinity;
import dev.berth.core.cluster.PodAffinityTerm;
import dev.berth.core.placement.table.NodeLabelKeys;
import dev.berth.core.placement.topologyspread.SlotCounts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The affinity terms of existing pods, with counts of those pods by slot. Pods with equal terms are counted together,
 * so the cost does not depend on their number. Pods without terms cost nothing. Terms with a topology key that no node
 * has are counted, because nodes may get the label, but no decision reads them.
 */
final class AffinityTermIndex {
    private static final int MAX_CACHED = 10_000;
    /** The limit of cached terms of all label sets: one pod may have many terms that match every pod. */
    private static final int MAX_CACHED_TERMS = 1_000_000;
    /**
     * The limit of bytes that the cached label sets may retain: the labels of one pod may take more than a megabyte.
     */
    private static final long MAX_CACHED_BYTES = 16L << 20;

    enum TermKind {
        REQUIRED_ANTI_AFFINITY,
        REQUIRED_AFFINITY,
        PREFERRED
    }

    /**
     * A term of an existing pod.
     *
     * @param weight of a preferred term, negative for anti-affinity; zero for required terms
     */
    record WeightedTerm(PodAffinityTerm term, TermKind kind, int weight) {}

    /** A term, and the counts of its pods by slot. */
    record TermCounts(WeightedTerm weightedTerm, SlotCounts counts) {
        boolean isAntiAffinity() {
            return weightedTerm.kind() == TermKind.REQUIRED_ANTI_AFFINITY;
        }
    }

    private final NodeLabelKeys labelKeys;
    private final Function<String, Labels> namespaceLabels;
    private final Map<WeightedTerm, TermCounts> countsByTerm = new HashMap<>();
    /** The terms whose topology keys nodes have. */
    private SelectorIndex<TermCounts> index = new SelectorIndex<>();

    private final Map<PodLabelSet, List<TermCounts>> cache = new HashMap<>();
    private int cachedTerms;
    private long cachedBytes;
    private long indexedVersion;

    AffinityTermIndex(NodeLabelKeys labelKeys, Function<String, Labels> namespaceLabels) {
        this.labelKeys = labelKeys;
        this.indexedVersion = labelKeys.version();
        this.namespaceLabels = namespaceLabels;
    }

    void onPodAdded(int slot, Pod pod) {
        if (!pod.spec().podAffinity().isEmpty()) {
            count(slot, pod, 1);
        }
    }

    void onPodRemoved(int slot, Pod pod) {
        if (!pod.spec().podAffinity().isEmpty()) {
            count(slot, pod, -1);
        }
    }

    /** Removes the pod from the counts, or adds it again, for a simulation. Terms stay even if no pod has them. */
    void simulate(int slot, Pod pod, int delta) {
        forEachTerm(pod, weightedTerm -> {
            TermCounts termCounts = countsByTerm.get(weightedTerm);
            if (termCounts != null) {
                termCounts.counts().add(slot, delta);
            }
        });
    }

    void namespacesChanged() {
        clearCache();
    }

    private void clearCache() {
        cache.clear();
        cachedTerms = 0;
        cachedBytes = 0;
    }

    /** The terms that match the pod, of topology keys that nodes have. */
    List<TermCounts> termsMatching(Pod pod) {
        if (countsByTerm.isEmpty()) {
            return List.of();
        }
        if (indexedVersion != labelKeys.version()) {
            reindex();
        }
        PodLabelSet podLabelSet = new PodLabelSet(pod.namespace(), pod.labels(), false);
        List<TermCounts> cached = cache.get(podLabelSet);
        if (cached == null) {
            cached = termsMatching(podLabelSet);
            putCache(podLabelSet, cached);
        }
        return cached;
    }

    private void putCache(PodLabelSet podLabelSet, List<TermCounts> cached) {
        long bytes = podLabelSet.labels().retainedBytes();
        if (cache.size() >= MAX_CACHED
                || cachedTerms + cached.size() > MAX_CACHED_TERMS
                || cachedBytes + bytes > MAX_CACHED_BYTES) {
            clearCache();
        }
        cachedBytes += bytes;
        cache.put(podLabelSet, cached);
        cachedTerms += cached.size();
    }

    private void reindex() {
        index = new SelectorIndex<>();
        countsByTerm.values().forEach(this::addToIndex);
        indexedVersion = labelKeys.version();
        clearCache();
    }

    private void addToIndex(TermCounts termCounts) {
        PodAffinityTerm term = termCounts.weightedTerm().term();
        if (labelKeys.contains(term.topologyKey())) {
            index.add(term.labelSelector(), termCounts);
            clearCache();
        }
    }

    private List<TermCounts> termsMatching(PodLabelSet podLabelSet) {
        Labels labels = namespaceLabels.apply(podLabelSet.namespace());
        List<TermCounts> found = new ArrayList<>(0);
        index.forEachCandidate(podLabelSet.labels(), termCounts -> {
            if (termCounts.weightedTerm().term().matches(podLabelSet.namespace(), labels, podLabelSet.labels())) {
                found.add(termCounts);
            }
        });
        return found;
    }

    /** Visits all affinity terms of the pod. */
    static void forEachTerm(Pod pod, Consumer<WeightedTerm> visitor) {
        PodAffinity affinity = pod.spec().podAffinity();
        String namespace = pod.namespace();
        affinity.requiredAntiAffinity()
                .forEach(term -> visitor.accept(
                        new WeightedTerm(term.withDefaultNamespace(namespace), TermKind.REQUIRED_ANTI_AFFINITY, 0)));
        affinity.requiredAffinity()
                .forEach(term -> visitor.accept(
                        new WeightedTerm(term.withDefaultNamespace(namespace), TermKind.REQUIRED_AFFINITY, 0)));
        affinity.preferred()
                .forEach(preference -> visitor.accept(new WeightedTerm(
                        preference.term().withDefaultNamespace(namespace), TermKind.PREFERRED, preference.weight())));
    }

    private void count(int slot, Pod pod, int delta) {
        forEachTerm(pod, weightedTerm -> count(slot, weightedTerm, delta));
    }

    private void count(int slot, WeightedTerm weightedTerm, int delta) {
        TermCounts existing = countsByTerm.get(weightedTerm);
        TermCounts termCounts = existing == null ? new TermCounts(weightedTerm, new SlotCounts()) : existing;
        if (existing == null) {
            countsByTerm.put(weightedTerm, termCounts);
            addToIndex(termCounts);
        }
        termCounts.counts().add(slot, delta);
        if (termCounts.counts().total() == 0) {
            countsByTerm.remove(weightedTerm);
            if (index.remove(weightedTerm.term().labelSelector(), termCounts)) {
                clearCache();
            }
        }
    }
}
