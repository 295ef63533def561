package dev.berth.core.placement;

import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.OwnerRule;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.equivalence.LedgerIndex;
import dev.berth.core.placement.equivalence.NodeRankings;
import dev.berth.core.placement.filter.BlockingHold;
import dev.berth.core.placement.filter.CycleState;
import dev.berth.core.placement.filter.FilterPlugins;
import dev.berth.core.placement.filter.HoldVisibility;
import dev.berth.core.placement.filter.IgnoredReservations;
import dev.berth.core.placement.filter.NodeFilter;
import dev.berth.core.placement.filter.RequiredNodeNames;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.placement.interpodaffinity.HiddenHolds;
import dev.berth.core.placement.interpodaffinity.InterPodConstraints;
import dev.berth.core.placement.profile.FilterPluginName;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.table.NodeTable;
import dev.berth.core.resource.Resources;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** What the parts of one profile's placement share: the ledger, its index, the filters and the rankings of nodes. */
final class ProfileContext {
    private final Profile profile;
    private final boolean enforcesNodeAffinity;
    private final boolean hasRequiredSpreadDefaults;
    private final LedgerView ledger;
    private final FilterPlugins filterPlugins;
    private final LedgerIndex ledgerIndex;
    private final NodeRankings nodeRankings;
    private final NodeFilter nodeFilter;

    /** The ledger, and the filters that components implement. */
    record Inputs(LedgerView ledger, FilterPlugins filterPlugins) {}

    /** @param capacity about how many bytes the rankings of nodes may retain together */
    ProfileContext(LedgerIndex ledgerIndex, Inputs inputs, Profile profile, long capacity) {
        this.profile = profile;
        this.enforcesNodeAffinity = profile.enforces(FilterPluginName.NODE_AFFINITY);
        this.hasRequiredSpreadDefaults = profile.spreadDefaults().hasRequired();
        this.ledger = inputs.ledger;
        this.filterPlugins = inputs.filterPlugins;
        this.ledgerIndex = ledgerIndex;
        this.nodeRankings =
                new NodeRankings(ledgerIndex.table(), ledgerIndex.spread(), ledgerIndex.selectors(), profile, capacity);
        this.nodeFilter = nodeFilter(ledger);
    }

    Profile profile() {
        return profile;
    }

    /** Whether default spread constraints can make a node infeasible. Then pods of one class may differ by workload. */
    boolean hasRequiredSpreadDefaults() {
        return hasRequiredSpreadDefaults;
    }

    LedgerView ledger() {
        return ledger;
    }

    FilterPlugins filterPlugins() {
        return filterPlugins;
    }

    LedgerIndex ledgerIndex() {
        return ledgerIndex;
    }

    NodeTable table() {
        return ledgerIndex.table();
    }

    NodeRankings nodeRankings() {
        return nodeRankings;
    }

    NodeFilter nodeFilter() {
        return nodeFilter;
    }

    /** The filter over another view of the ledger. */
    NodeFilter nodeFilter(LedgerView view) {
        return new NodeFilter(view, filterPlugins, this::interPodVeto, profile);
    }

    RequiredNodeNames requiredNodeNames(Pod pod) {
        return enforcesNodeAffinity ? RequiredNodeNames.of(pod.spec().nodeAffinity()) : RequiredNodeNames.UNRESTRICTED;
    }

    /** The inter-pod constraints of this pod by affinity and spreading; empty if there are none. */
    Optional<InterPodConstraints> interPodConstraints(CycleState cycle) {
        ledgerIndex.refresh();
        return ledgerIndex.interPodIndex().constraintsFor(cycle.pod(), cycle.visibility(), nodeRankings);
    }

    /** The holds that the pod does not see as neighbours. */
    HiddenHolds hiddenHolds(CycleState cycle) {
        ledgerIndex.refresh();
        return ledgerIndex.neighbourHolds().hiddenBy(cycle.visibility());
    }

    /** @param view the ledger, or another view of it */
    PlacementAttempt attempt(LedgerView view, Pod pod, HoldUse use) {
        HoldUse ofPod = use.forPod(pod);
        Collection<OwnerRule> ownerRules = ofPod == HoldUse.NONE ? List.of() : view.rulesAdmitting(pod);
        boolean ignoresReservations =
                ofPod != HoldUse.NONE && pod.spec().reservations().ignored();
        return new PlacementAttempt(
                new CycleState(pod, requiredNodeNames(pod), new HoldVisibility(ownerRules, ignoresReservations)),
                MatchingHolds.of(view, pod, ofPod, ownerRules),
                ofPod);
    }

    private Optional<Veto> interPodVeto(CycleState cycle, NodeState state) {
        ledgerIndex.refresh();
        return ledgerIndex
                .interPodIndex()
                .veto(cycle.pod(), cycle.visibility(), state, nodeRankings)
                .map(code -> interPodVeto(code, cycle, state));
    }

    private Veto interPodVeto(Veto.Code code, CycleState cycle, NodeState state) {
        List<Hold> holds = ledgerIndex.interPodIndex().holdsBehind(code, cycle.pod(), cycle.visibility(), state);
        return Veto.blockedBy(code, holds.stream().map(BlockingHold::of).toList());
    }

    /**
     * Whether a ranking of nodes can be used for the pod. It cannot if the filters need more than the ranking contains:
     * named nodes, devices, volumes, features that not every node declares, and what Reservations hold if the pod
     * ignores them.
     */
    boolean canUseRanking(Pod pod, RequiredNodeNames nodeNames) {
        return pod.nodeName().isEmpty()
                && nodeNames.names().isEmpty()
                && pod.spec().requiredFeatures().isEmpty()
                && !pod.spec().reservations().ignored()
                && !filterPlugins.applyTo(pod);
    }

    /** What the pod may use on the node of Reservations because it ignores them. */
    Resources ignoredReservations(PlacementAttempt attempt, NodeState state) {
        return attempt.cycle().ignoresReservations()
                ? IgnoredReservations.outstandingOn(state, ledger)
                : Resources.NONE;
    }

    /** Why the pod cannot use the free resources of the node, outside the holds that match it. */
    List<Veto> vetoesWithoutHold(PlacementAttempt attempt, NodeState state) {
        return vetoesWithoutHold(nodeFilter, attempt, state);
    }

    static List<Veto> vetoesWithoutHold(NodeFilter filter, PlacementAttempt attempt, NodeState state) {
        return attempt.requiresHold()
                ? List.of(Veto.of(Veto.Code.NO_MATCHING_HOLD))
                : filter.vetoes(attempt.cycle(), state, Optional.empty());
    }

    /** Whether the first node is better: by its total score, and among equal scores by its tie-break key. */
    boolean isBetter(long total, int slot, long otherTotal, int otherSlot) {
        return total != otherTotal ? total > otherTotal : table().winsTie(slot, otherSlot);
    }
}
