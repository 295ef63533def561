package dev.berth.core.placement.interpodaffinity;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodAffinity;
import dev.berth.core.cluster.PodAffinityTerm;
import dev.berth.core.cluster.PodSpec;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.TopologySpreadConstraint;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.placement.profile.FilterPluginName;
import dev.berth.core.placement.profile.InterPodAffinityArgs;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.table.NodeTable;
import dev.berth.core.placement.topologyspread.CountedConstraint;
import dev.berth.core.placement.topologyspread.SlotCounts;
import dev.berth.core.placement.topologyspread.TopologyDomainIndex;
import dev.berth.core.placement.topologyspread.TopologyDomains;
import dev.berth.core.placement.topologyspread.TopologySpreadState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Indexes existing pods for inter-pod constraints: the pods that terms match, and the pods that have terms. It is
 * updated with every pod. It costs nothing while no pod has a constraint.
 */
public final class InterPodIndex {
    private final LedgerView ledger;
    private final NodeTable table;
    private final SelectorCounts selectorCounts;
    private final AffinityTermIndex affinityTerms;
    private final AffinityRelevance relevance;
    private final TopologyDomainIndex topologyDomains;
    private @Nullable Pod lastPod;
    private Optional<InterPodConstraints> last = Optional.empty();
    private long lastVersion = -1;

    public InterPodIndex(LedgerView ledger, NodeTable table) {
        this.ledger = ledger;
        this.table = table;
        this.selectorCounts = new SelectorCounts(table, ledger::namespaceLabels);
        this.affinityTerms = new AffinityTermIndex(table.labelKeys(), ledger::namespaceLabels);
        this.topologyDomains = new TopologyDomainIndex(table);
        this.relevance = new AffinityRelevance(ledger::namespaceLabels);
    }

    public void onPodAdded(int slot, Pod pod) {
        selectorCounts.onPodAdded(slot, pod);
        affinityTerms.onPodAdded(slot, pod);
    }

    public void onPodRemoved(int slot, Pod pod) {
        selectorCounts.onPodRemoved(slot, pod);
        affinityTerms.onPodRemoved(slot, pod);
    }

    public void namespacesChanged() {
        selectorCounts.namespacesChanged();
        affinityTerms.namespacesChanged();
    }

    /**
     * The inter-pod constraints of the pod. Valid only after the index has followed the ledger.
     *
     * @param profileView the profile of the pod
     * @return empty if neither the pod nor existing pods have a constraint that applies
     */
    @SuppressWarnings("ReferenceEquality") // The same pod is looked up often. An equal pod costs a computation.
    public Optional<InterPodConstraints> constraintsFor(Pod pod, ProfileView profileView) {
        if (lastPod != pod || lastVersion != ledger.version()) {
            last = compute(pod, profileView);
            lastPod = pod;
            lastVersion = ledger.version();
        }
        return last;
    }

    /**
     * The veto against the pod on the given state of the node. Pods that the index has on the node and that the state
     * does not have count as removed.
     */
    public Optional<Veto.Code> veto(Pod pod, NodeState given, ProfileView profileView) {
        Optional<InterPodConstraints> constraints = constraintsFor(pod, profileView);
        if (constraints.isEmpty()) {
            return Optional.empty();
        }
        int slot = given.slot();
        List<Pod> removedPods = removedPods(given);
        if (removedPods.isEmpty() || areIrrelevant(pod, profileView.spreadConstraints(pod), removedPods)) {
            return constraints.get().veto(slot);
        }
        removedPods.forEach(removedPod -> simulate(slot, removedPod, -1));
        Optional<Veto.Code> veto = compute(pod, profileView).flatMap(without -> without.veto(slot));
        removedPods.forEach(removedPod -> simulate(slot, removedPod, 1));
        return veto;
    }

    private boolean areIrrelevant(Pod pod, List<TopologySpreadConstraint> spread, List<Pod> others) {
        return others.stream().noneMatch(other -> relevance.isRelevant(pod, spread, other));
    }

    private void simulate(int slot, Pod pod, int delta) {
        affinityTerms.simulate(slot, pod, delta);
        selectorCounts.addCount(slot, pod, delta);
    }

    @SuppressWarnings("ReferenceEquality") // Usually the same object. Otherwise this costs a comparison.
    private List<Pod> removedPods(NodeState given) {
        Optional<NodeState> indexed = table.stateAt(given.slot());
        if (indexed.isEmpty() || indexed.get() == given || indexed.get().pods() == given.pods()) {
            return List.of();
        }
        Set<PodUid> there = given.pods().stream().map(Pod::uid).collect(Collectors.toSet());
        return indexed.get().pods().stream()
                .filter(pod -> !there.contains(pod.uid()))
                .toList();
    }

    /** Whether the other pod can affect the feasible nodes of this pod. */
    public boolean isRelevant(Pod pod, ProfileView profileView, Pod other) {
        return relevance.isRelevant(pod, profileView.spreadConstraints(pod), other);
    }

    private Optional<InterPodConstraints> compute(Pod pod, ProfileView profileView) {
        List<AffinityTermIndex.TermCounts> matchingTerms = affinityTerms.termsMatching(pod);
        PodSpec spec = pod.spec();
        List<TopologySpreadConstraint> spread = profileView.spreadConstraints(pod);
        if (matchingTerms.isEmpty() && spec.podAffinity().isEmpty() && spread.isEmpty()) {
            return Optional.empty();
        }
        Profile profile = profileView.profile();
        boolean spreadEnabled = profile.enforces(FilterPluginName.POD_TOPOLOGY_SPREAD);
        boolean affinityEnabled = profile.enforces(FilterPluginName.INTER_POD_AFFINITY);
        return Optional.of(new InterPodConstraints(
                spreadEnabled
                        ? spreadState(pod, constraintsThatAre(spread, true), profileView)
                        : TopologySpreadState.NONE,
                affinityEnabled
                        ? requiredAffinity(pod)
                        : new InterPodConstraints.RequiredAffinity(new TopologyCounts(), false),
                affinityEnabled ? requiredAntiAffinity(pod) : new TopologyCounts(),
                affinityEnabled ? existingAntiAffinity(matchingTerms) : new TopologyCounts(),
                () -> new InterPodConstraints.Preferences(
                        preferredAffinity(pod, matchingTerms, profile.interPodAffinity()),
                        spreadState(pod, constraintsThatAre(spread, false), profileView))));
    }

    private static List<TopologySpreadConstraint> constraintsThatAre(
            List<TopologySpreadConstraint> spread, boolean required) {
        List<TopologySpreadConstraint> filtered = new ArrayList<>(0);
        for (TopologySpreadConstraint constraint : spread) {
            if (constraint.required() == required) {
                filtered.add(constraint);
            }
        }
        return filtered;
    }

    private TopologySpreadState spreadState(
            Pod pod, List<TopologySpreadConstraint> constraints, ProfileView profileView) {
        if (constraints.isEmpty()) {
            return TopologySpreadState.NONE;
        }
        List<CountedConstraint> all = new ArrayList<>(constraints.size());
        for (TopologySpreadConstraint constraint : constraints) {
            if (!topologyDomains.isOnSomeNode(constraint.topologyKey())) {
                return TopologySpreadState.missingLabel(constraint, topologyDomains.get(constraint.topologyKey()));
            }
            all.add(countedConstraint(pod, constraint));
        }
        return new TopologySpreadState(all, table, profileView.staticFilters(pod.spec()));
    }

    /** An empty selector matches the pod itself, but Kubernetes counts no pods by it. */
    private CountedConstraint countedConstraint(Pod pod, TopologySpreadConstraint constraint) {
        TopologyDomains column = topologyDomains.get(constraint.topologyKey());
        Optional<LabelSelector> selector = constraint.selectorFor(pod.labels());
        SlotCounts pods = selector.filter(some -> !some.isEmpty())
                .map(some -> selectorCounts.countsFor(
                                PodSelectorKey.ofSpreadConstraint(column.key(), pod.namespace(), some))
                        .counts)
                .orElseGet(SlotCounts::new);
        boolean self = selector.filter(some -> some.matches(pod.labels())).isPresent();
        return new CountedConstraint(constraint, column, pods, self);
    }

    private InterPodConstraints.RequiredAffinity requiredAffinity(Pod pod) {
        List<PodAffinityTerm> terms = pod.spec().podAffinity().requiredAffinity();
        TopologyCounts affinityCounts = new TopologyCounts();
        if (terms.isEmpty()) {
            return new InterPodConstraints.RequiredAffinity(affinityCounts, false);
        }
        Set<String> keys = terms.stream().map(PodAffinityTerm::topologyKey).collect(Collectors.toSet());
        Optional<String> missing =
                keys.stream().filter(key -> !topologyDomains.isOnSomeNode(key)).findFirst();
        if (missing.isPresent()) {
            affinityCounts.add(topologyDomains.get(missing.get()), new SlotCounts(), 1);
            return new InterPodConstraints.RequiredAffinity(affinityCounts, false);
        }
        PodSelectorKey podSelectorKey = PodSelectorKey.ofTerms(terms, pod);
        SelectedPods selectedPods = selectorCounts.countsFor(podSelectorKey);
        keys.forEach(key -> affinityCounts.add(topologyDomains.get(key), selectedPods.counts, 1));
        return new InterPodConstraints.RequiredAffinity(
                affinityCounts, podSelectorKey.matches(PodLabelSet.of(pod), ledger.namespaceLabels(pod.namespace())));
    }

    private TopologyCounts requiredAntiAffinity(Pod pod) {
        TopologyCounts antiAffinityCounts = new TopologyCounts();
        for (PodAffinityTerm term : pod.spec().podAffinity().requiredAntiAffinity()) {
            if (topologyDomains.isOnSomeNode(term.topologyKey())) {
                SlotCounts pods = selectorCounts.countsFor(PodSelectorKey.ofTerms(List.of(term), pod)).counts;
                antiAffinityCounts.add(topologyDomains.get(term.topologyKey()), pods, 1);
            }
        }
        return antiAffinityCounts;
    }

    private TopologyCounts existingAntiAffinity(List<AffinityTermIndex.TermCounts> matchingTerms) {
        TopologyCounts existingAntiAffinityCounts = new TopologyCounts();
        for (AffinityTermIndex.TermCounts termCounts : matchingTerms) {
            if (termCounts.isAntiAffinity()) {
                existingAntiAffinityCounts.add(
                        topologyDomains.get(termCounts.weightedTerm().term().topologyKey()), termCounts.counts(), 1);
            }
        }
        return existingAntiAffinityCounts;
    }

    private TopologyCounts preferredAffinity(
            Pod pod, List<AffinityTermIndex.TermCounts> matchingTerms, InterPodAffinityArgs scoring) {
        TopologyCounts preferredCounts = new TopologyCounts();
        if (scoring.ignorePreferredTermsOfExistingPods()
                && pod.spec().podAffinity().preferred().isEmpty()) {
            return preferredCounts;
        }
        for (PodAffinity.WeightedPodAffinityTerm preference :
                pod.spec().podAffinity().preferred()) {
            PodAffinityTerm term = preference.term();
            if (topologyDomains.isOnSomeNode(term.topologyKey())) {
                SelectedPods selectedPods = selectorCounts.countsFor(PodSelectorKey.ofTerms(List.of(term), pod));
                preferredCounts.add(topologyDomains.get(term.topologyKey()), selectedPods.counts, preference.weight());
            }
        }
        for (AffinityTermIndex.TermCounts termCounts : matchingTerms) {
            int weight = scoreWeight(termCounts.weightedTerm(), scoring);
            if (weight != 0) {
                preferredCounts.add(
                        topologyDomains.get(termCounts.weightedTerm().term().topologyKey()),
                        termCounts.counts(),
                        weight);
            }
        }
        return preferredCounts;
    }

    private static int scoreWeight(AffinityTermIndex.WeightedTerm weightedTerm, InterPodAffinityArgs scoring) {
        return switch (weightedTerm.kind()) {
            case REQUIRED_ANTI_AFFINITY -> 0;
            case REQUIRED_AFFINITY -> scoring.hardPodAffinityWeight();
            case PREFERRED -> weightedTerm.weight();
        };
    }
}
