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
 * The pods that have something for or against others, counted by slot for each thing that is said. Who says the same is
 * counted together, so that it costs the same however many they are; pods that say nothing cost nothing. What is said of a
 * topology that no node has is counted, for nodes may come that have it, but no decision uses it.
 */
final class AffinityTermIndex {
    private static final int MAX_CACHED = 10_000;
    /** So many sayings may be remembered of all kins together: a pod may have many terms that speak of everybody. */
    private static final int MAX_CACHED_TERMS = 1_000_000;
    /** About how many bytes the kins themselves may retain: the labels of one pod may take more than a megabyte. */
    private static final long MAX_CACHED_BYTES = 16L << 20;

    /** Whether pods do not suffer others near them, demand to be near them, or wish to be near or apart. */
    enum TermKind {
        REQUIRED_ANTI_AFFINITY,
        REQUIRED_AFFINITY,
        PREFERRED
    }

    /**
     * What pods say of others.
     *
     * @param weight of a wish, negative where they wish to be apart; of others zero
     */
    record WeightedTerm(PodAffinityTerm term, TermKind kind, int weight) {}

    /** A saying and where those are who say it. */
    record TermCounts(WeightedTerm weightedTerm, SlotCounts counts) {
        boolean isAntiAffinity() {
            return weightedTerm.kind() == TermKind.REQUIRED_ANTI_AFFINITY;
        }
    }

    private final NodeLabelKeys labelKeys;
    private final Function<String, Labels> namespaceLabels;
    private final Map<WeightedTerm, TermCounts> countsByTerm = new HashMap<>();
    /** Those of topologies that nodes have. */
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

    /** Counts the pod away, or back again, for a moment: what it says stays known, though nobody may say it now. */
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

    /** What is said of the pod in topologies that nodes have. */
    List<TermCounts> termsMatching(Pod pod) {
        if (countsByTerm.isEmpty()) {
            return List.of();
        }
        if (indexedVersion != labelKeys.version()) {
            reindex();
        }
        PodLabelSet podLabelSet = new PodLabelSet(pod.namespace(), pod.labels(), false);
        List<TermCounts> known = cache.get(podLabelSet);
        if (known == null) {
            known = termsMatching(podLabelSet);
            putCache(podLabelSet, known);
        }
        return known;
    }

    private void putCache(PodLabelSet podLabelSet, List<TermCounts> known) {
        long bytes = podLabelSet.labels().retainedBytes();
        if (cache.size() >= MAX_CACHED
                || cachedTerms + known.size() > MAX_CACHED_TERMS
                || cachedBytes + bytes > MAX_CACHED_BYTES) {
            clearCache();
        }
        cachedBytes += bytes;
        cache.put(podLabelSet, known);
        cachedTerms += known.size();
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

    /** Everything that the pod says of others where it is. */
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
        TermCounts known = countsByTerm.get(weightedTerm);
        TermCounts termCounts = known == null ? new TermCounts(weightedTerm, new SlotCounts()) : known;
        if (known == null) {
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
