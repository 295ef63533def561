package dev.berth.core.placement.interpodaffinity;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodAffinity;
import dev.berth.core.cluster.PodAffinityTerm;
import dev.berth.core.cluster.PodSpec;
import dev.berth.core.cluster.TopologySpreadConstraint;
import dev.berth.core.hold.Hold;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.filter.HoldVisibility;
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
 * updated with every pod. It costs nothing while no pod has a constraint. A hold that no pod uses yet counts as one
 * pod, for all pods but those that may use it.
 */
public final class InterPodIndex {
    private final LedgerView ledger;
    private final NodeTable table;
    private final SelectorCounts selectorCounts;
    private final AffinityTermIndex affinityTerms;
    private final AffinityRelevance relevance;
    private final TopologyDomainIndex topologyDomains;
    private final NeighbourHoldIndex neighbourHolds;
    private @Nullable Pod lastPod;
    private HiddenHolds lastHidden = HiddenHolds.NONE;
    private Optional<InterPodConstraints> last = Optional.empty();
    private long lastVersion = -1;

    public InterPodIndex(LedgerView ledger, NodeTable table, NeighbourHoldIndex neighbourHolds) {
        this.ledger = ledger;
        this.table = table;
        this.neighbourHolds = neighbourHolds;
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

    public void onHoldAdded(int slot, Hold hold) {
        onPodAdded(slot, hold.neighbour().orElseThrow());
        neighbourHolds.onHoldAdded(slot, hold);
    }

    public void onHoldRemoved(int slot, Hold hold) {
        onPodRemoved(slot, hold.neighbour().orElseThrow());
        neighbourHolds.onHoldRemoved(slot, hold);
    }

    public void namespacesChanged() {
        selectorCounts.namespacesChanged();
        affinityTerms.namespacesChanged();
    }

    /**
     * The inter-pod constraints of the pod. Valid only after the index has followed the ledger.
     *
     * @param visibility the holds that the pod does not see
     * @param profileView the profile of the pod
     * @return empty if neither the pod nor existing pods have a constraint that applies
     */
    @SuppressWarnings("ReferenceEquality") // The same pod is looked up often. An equal pod costs a computation.
    public Optional<InterPodConstraints> constraintsFor(Pod pod, HoldVisibility visibility, ProfileView profileView) {
        HiddenHolds hidden = neighbourHolds.hiddenBy(visibility);
        if (lastPod != pod || lastVersion != ledger.version() || !lastHidden.equals(hidden)) {
            last = compute(pod, hidden, profileView);
            lastPod = pod;
            lastHidden = hidden;
            lastVersion = ledger.version();
        }
        return last;
    }

    /**
     * The veto against the pod on the given state of the node. Pods that the index has on the node and that the state
     * does not have count as removed. So do holds that no longer count as pods, and holds that count again are added.
     */
    public Optional<Veto.Code> veto(Pod pod, HoldVisibility visibility, NodeState given, ProfileView profileView) {
        int slot = given.slot();
        Optional<InterPodConstraints> constraints = constraintsFor(pod, visibility, profileView);
        if (constraints.isEmpty() && given.neighbours().isEmpty()) {
            return Optional.empty();
        }
        SimulatedNode simulatedNode = SimulatedNode.compare(table.stateAt(slot), given);
        List<TopologySpreadConstraint> spread = profileView.spreadConstraints(pod);
        if (!simulatedNode.hasChange(other -> relevance.isRelevant(pod, spread, other))) {
            return constraints.flatMap(present -> present.veto(slot));
        }
        simulate(slot, simulatedNode);
        Optional<Veto.Code> veto = compute(pod, neighbourHolds.hiddenBy(visibility), profileView)
                .flatMap(simulated -> simulated.veto(slot));
        undo(slot, simulatedNode);
        return veto;
    }

    /**
     * The holds on the node itself that the veto is about, in the order of their ids: those that anti-affinity keeps the
     * pod away from.
     *
     * @param visibility the holds that the pod does not see
     */
    public List<Hold> holdsBehind(Veto.Code code, Pod pod, HoldVisibility visibility, NodeState state) {
        boolean own = code == Veto.Code.POD_ANTI_AFFINITY;
        if (state.neighbours().isEmpty() || (!own && code != Veto.Code.EXISTING_ANTI_AFFINITY)) {
            return List.of();
        }
        List<Hold> holds = new ArrayList<>();
        for (Hold hold : state.neighbours()) {
            Pod neighbour = hold.neighbour().orElseThrow();
            boolean isBehind = own
                    ? relevance.keepsAway(pod, neighbour, state.node())
                    : relevance.keepsAway(neighbour, pod, state.node());
            if (isBehind && !visibility.hides(hold)) {
                holds.add(hold);
            }
        }
        return holds;
    }

    private void simulate(int slot, SimulatedNode simulatedNode) {
        simulatedNode.removedPods().forEach(pod -> simulate(slot, pod, -1));
        simulatedNode.removedHolds().forEach(hold -> {
            simulate(slot, hold.neighbour().orElseThrow(), -1);
            neighbourHolds.onHoldRemoved(slot, hold);
        });
        simulatedNode.addedHolds().forEach(hold -> onHoldAdded(slot, hold));
    }

    private void undo(int slot, SimulatedNode simulatedNode) {
        simulatedNode.addedHolds().forEach(hold -> onHoldRemoved(slot, hold));
        simulatedNode.removedHolds().forEach(hold -> {
            neighbourHolds.onHoldAdded(slot, hold);
            simulate(slot, hold.neighbour().orElseThrow(), 1);
        });
        simulatedNode.removedPods().forEach(pod -> simulate(slot, pod, 1));
    }

    private void simulate(int slot, Pod pod, int delta) {
        affinityTerms.simulate(slot, pod, delta);
        selectorCounts.addCount(slot, pod, delta);
    }

    /** Whether the other pod can affect the feasible nodes of this pod. */
    public boolean isRelevant(Pod pod, ProfileView profileView, Pod other) {
        return relevance.isRelevant(pod, profileView.spreadConstraints(pod), other);
    }

    private Optional<InterPodConstraints> compute(Pod pod, HiddenHolds hidden, ProfileView profileView) {
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
                        ? spreadState(pod, hidden, constraintsThatAre(spread, true), profileView)
                        : TopologySpreadState.NONE,
                affinityEnabled
                        ? requiredAffinity(pod, hidden)
                        : new InterPodConstraints.RequiredAffinity(new TopologyCounts(), false),
                affinityEnabled ? requiredAntiAffinity(pod, hidden) : new TopologyCounts(),
                affinityEnabled ? existingAntiAffinity(matchingTerms, hidden) : new TopologyCounts(),
                () -> new InterPodConstraints.Preferences(
                        preferredAffinity(pod, hidden, matchingTerms, profile.interPodAffinity()),
                        spreadState(pod, hidden, constraintsThatAre(spread, false), profileView))));
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
            Pod pod, HiddenHolds hidden, List<TopologySpreadConstraint> constraints, ProfileView profileView) {
        if (constraints.isEmpty()) {
            return TopologySpreadState.NONE;
        }
        List<CountedConstraint> all = new ArrayList<>(constraints.size());
        for (TopologySpreadConstraint constraint : constraints) {
            if (!topologyDomains.isOnSomeNode(constraint.topologyKey())) {
                return TopologySpreadState.missingLabel(constraint, topologyDomains.get(constraint.topologyKey()));
            }
            all.add(countedConstraint(pod, hidden, constraint));
        }
        return new TopologySpreadState(all, table, profileView.staticFilters(pod.spec()));
    }

    /** An empty selector matches the pod itself, but Kubernetes counts no pods by it. */
    private CountedConstraint countedConstraint(Pod pod, HiddenHolds hidden, TopologySpreadConstraint constraint) {
        TopologyDomains column = topologyDomains.get(constraint.topologyKey());
        Optional<LabelSelector> selector = constraint.selectorFor(pod.labels());
        SlotCounts pods = selector.filter(some -> !some.isEmpty())
                .map(some ->
                        visibleCounts(PodSelectorKey.ofSpreadConstraint(column.key(), pod.namespace(), some), hidden))
                .orElseGet(SlotCounts::new);
        boolean self = selector.filter(some -> some.matches(pod.labels())).isPresent();
        return new CountedConstraint(constraint, column, pods, self);
    }

    /** The counts of the selected pods without the hidden holds. */
    private SlotCounts visibleCounts(PodSelectorKey selector, HiddenHolds hidden) {
        SlotCounts all = selectorCounts.countsFor(selector).counts;
        List<SlotCounts> selected = new ArrayList<>(0);
        hidden.forEachSelected(selector, ledger::namespaceLabels, selected::add);
        if (selected.isEmpty()) {
            return all;
        }
        SlotCounts visible = new SlotCounts();
        all.forEach(visible::add);
        selected.forEach(counts -> counts.forEach((slot, count) -> visible.add(slot, -count)));
        return visible;
    }

    private InterPodConstraints.RequiredAffinity requiredAffinity(Pod pod, HiddenHolds hidden) {
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
        SlotCounts selected = visibleCounts(podSelectorKey, hidden);
        keys.forEach(key -> affinityCounts.add(topologyDomains.get(key), selected, 1));
        return new InterPodConstraints.RequiredAffinity(
                affinityCounts, podSelectorKey.matches(PodLabelSet.of(pod), ledger.namespaceLabels(pod.namespace())));
    }

    private TopologyCounts requiredAntiAffinity(Pod pod, HiddenHolds hidden) {
        TopologyCounts antiAffinityCounts = new TopologyCounts();
        for (PodAffinityTerm term : pod.spec().podAffinity().requiredAntiAffinity()) {
            if (topologyDomains.isOnSomeNode(term.topologyKey())) {
                SlotCounts pods = visibleCounts(PodSelectorKey.ofTerms(List.of(term), pod), hidden);
                antiAffinityCounts.add(topologyDomains.get(term.topologyKey()), pods, 1);
            }
        }
        return antiAffinityCounts;
    }

    private TopologyCounts existingAntiAffinity(List<AffinityTermIndex.TermCounts> matchingTerms, HiddenHolds hidden) {
        TopologyCounts existingAntiAffinityCounts = new TopologyCounts();
        for (AffinityTermIndex.TermCounts termCounts : matchingTerms) {
            if (termCounts.isAntiAffinity()) {
                addVisible(existingAntiAffinityCounts, termCounts, hidden, 1);
            }
        }
        return existingAntiAffinityCounts;
    }

    /** Adds the pods that have the term, without the hidden holds. */
    private void addVisible(
            TopologyCounts counts, AffinityTermIndex.TermCounts termCounts, HiddenHolds hidden, long weight) {
        TopologyDomains domains =
                topologyDomains.get(termCounts.weightedTerm().term().topologyKey());
        counts.add(domains, termCounts.counts(), weight);
        hidden.forEachWithTerm(termCounts, holds -> counts.subtract(domains, holds, weight));
    }

    private TopologyCounts preferredAffinity(
            Pod pod,
            HiddenHolds hidden,
            List<AffinityTermIndex.TermCounts> matchingTerms,
            InterPodAffinityArgs scoring) {
        TopologyCounts preferredCounts = new TopologyCounts();
        if (scoring.ignorePreferredTermsOfExistingPods()
                && pod.spec().podAffinity().preferred().isEmpty()) {
            return preferredCounts;
        }
        for (PodAffinity.WeightedPodAffinityTerm preference :
                pod.spec().podAffinity().preferred()) {
            PodAffinityTerm term = preference.term();
            if (topologyDomains.isOnSomeNode(term.topologyKey())) {
                SlotCounts selected = visibleCounts(PodSelectorKey.ofTerms(List.of(term), pod), hidden);
                preferredCounts.add(topologyDomains.get(term.topologyKey()), selected, preference.weight());
            }
        }
        for (AffinityTermIndex.TermCounts termCounts : matchingTerms) {
            int weight = scoreWeight(termCounts.weightedTerm(), scoring);
            if (weight != 0) {
                addVisible(preferredCounts, termCounts, hidden, weight);
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
