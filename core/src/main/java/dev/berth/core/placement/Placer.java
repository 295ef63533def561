package dev.berth.core.placement;

import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.OwnerRule;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.ledger.Snapshot;
import dev.berth.core.placement.equivalence.LedgerIndex;
import dev.berth.core.placement.filter.ClusterEventKind;
import dev.berth.core.placement.filter.FilterPlugin;
import dev.berth.core.placement.filter.FilterPlugins;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.profile.Profiles;
import dev.berth.core.placement.score.ScoreWeights;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Finds the node for a pod by the filters and scores of kube-scheduler 1.36, in the profile of the pod's scheduler
 * name. The result depends on the present ledger alone. If scores are equal, {@link
 * dev.berth.core.placement.score.TieBreak} decides. Reads the ledger and changes nothing: the caller assumes the pod.
 * Owned by the thread that owns the ledger.
 */
public final class Placer {
    /** The limit of bytes that the cached rankings of nodes retain. */
    private static final long DEFAULT_CAPACITY = 64L << 20;

    static final BooleanSupplier UNBOUNDED = () -> false;

    private final LedgerView ledger;
    private final Profiles profiles;
    private final FilterPlugins filterPlugins;
    private final Map<String, ProfilePlacer> byName = new HashMap<>();
    private final ProfilePlacer fallback;

    public Placer(LedgerView ledger, ScoreWeights weights) {
        this(ledger, weights, DEFAULT_CAPACITY);
    }

    /** @param capacity about how many bytes the cached rankings of nodes may retain */
    public Placer(LedgerView ledger, ScoreWeights weights, long capacity) {
        this(ledger, Profiles.forAllPods(Profile.DEFAULT.withWeights(weights)), List.of(), capacity);
    }

    /** @param filterPlugins the filters of components, in the order in which they run */
    public Placer(LedgerView ledger, Profiles profiles, List<FilterPlugin> filterPlugins) {
        this(ledger, profiles, filterPlugins, DEFAULT_CAPACITY);
    }

    public Placer(LedgerView ledger, Profiles profiles, List<FilterPlugin> filterPlugins, long capacity) {
        this.ledger = ledger;
        this.profiles = profiles;
        this.filterPlugins = new FilterPlugins(filterPlugins);
        LedgerIndex ledgerIndex = new LedgerIndex(ledger);
        ProfileContext.Inputs inputs = new ProfileContext.Inputs(ledger, this.filterPlugins);
        Map<Profile, ProfilePlacer> byProfile = new HashMap<>();
        long different = profiles.byName().values().stream().distinct().count();
        long share = capacity / Math.max(1, different);
        profiles.byName()
                .forEach((name, profile) -> byName.put(
                        name,
                        byProfile.computeIfAbsent(profile, one -> new ProfilePlacer(ledgerIndex, inputs, one, share))));
        this.fallback = byProfile.computeIfAbsent(
                profiles.fallback(), one -> new ProfilePlacer(ledgerIndex, inputs, one, share));
        if (byProfile.size() == 1) {
            byName.clear();
        }
    }

    private ProfilePlacer placerFor(Pod pod) {
        return byName.isEmpty() ? fallback : byName.getOrDefault(pod.schedulerName(), fallback);
    }

    public Placement place(Pod pod) {
        return place(pod, HoldUse.PREFERRED);
    }

    public Placement place(Pod pod, HoldUse use) {
        return placeWithin(pod, use, UNBOUNDED);
    }

    /**
     * Places the pod in several calls if needed. A pod with holds on many nodes, or one that many nodes refuse, may
     * take longer than its caller has time for.
     *
     * @param timeIsUp called after each node; once it returns true the result may be {@link Placement.Unfinished}. The
     * next call continues where this one stopped, even if the ledger changed
     */
    public Placement placeWithin(Pod pod, HoldUse use, BooleanSupplier timeIsUp) {
        return placerFor(pod).placeWithin(pod, use, timeIsUp);
    }

    /**
     * The class of pods that get the same vetoes as this pod, apart from its holds. Empty if the vetoes depend on the
     * pod itself.
     */
    public Optional<EquivalenceClass> equivalenceClass(Pod pod, HoldUse use) {
        return placerFor(pod).equivalenceClass(pod, use);
    }

    /** Whether the node of the other pod can affect the feasible nodes of this pod. */
    public boolean isAffectedBy(Pod pod, Pod other) {
        return placerFor(pod).isAffectedBy(pod, other);
    }

    /** The owner rules that name pods, of the holds that count as pods, if such holds may affect pods of this class. */
    public Collection<OwnerRule> rulesOfNeighbours(Pod pod) {
        return placerFor(pod).rulesOfNeighbours(pod);
    }

    /** Why the node in this state is not feasible for the pod; empty if it is feasible. */
    public List<Veto> vetoes(Pod pod, NodeState state, HoldUse use) {
        return placerFor(pod).vetoes(pod, state, use);
    }

    /** Why the pod cannot use this hold on the node; empty if it can. */
    public List<Veto> vetoes(Pod pod, NodeState state, Hold own) {
        return placerFor(pod).vetoes(pod, state, own);
    }

    /** The same for several nodes, by name. */
    public Map<String, List<Veto>> vetoes(Pod pod, List<NodeState> states, HoldUse use) {
        return placerFor(pod).vetoes(pod, states, use);
    }

    /**
     * The extender's filter: by node name, why the node is not feasible for the pod; no entry for a feasible node.
     *
     * @param given the pod as the caller knows it; if the ledger has the pod, the ledger's version is used
     */
    public Map<String, List<Veto>> filter(Pod given, List<String> nodes) {
        Pod pod = ledger.pod(given.uid()).orElse(given);
        List<NodeState> existing =
                nodes.stream().flatMap(name -> ledger.node(name).stream()).toList();
        Map<String, List<Veto>> vetoes = vetoes(pod, existing, HoldUse.PREFERRED);
        nodes.forEach(name -> vetoes.computeIfAbsent(name, unknown -> List.of(Veto.of(Veto.Code.NODE_UNKNOWN))));
        return vetoes;
    }

    /** Everything that other threads need to filter nodes as this placer does now: see {@link SnapshotFilter}. */
    public FilterState filterState(Snapshot snapshot) {
        return new FilterState(snapshot, profiles, filterPlugins.publish(snapshot));
    }

    /** The events that can make one of the nodes with matching holds feasible. */
    public Set<ClusterEventKind> resolvingEventsAtMatchingHolds(Pod pod, HoldUse use) {
        return placerFor(pod).resolvingEventsAtMatchingHolds(pod, use);
    }

    /**
     * The events that can make the node feasible, with a matching hold or without one. For {@link #vetoes} the first
     * matching hold is used.
     */
    public Set<ClusterEventKind> resolvingEvents(Pod pod, NodeState state, HoldUse use) {
        return placerFor(pod).resolvingEvents(pod, state, use);
    }

    /** Why the node would not be feasible for the pod in this view of the ledger; empty if it would be. */
    public List<Veto> simulateVetoes(LedgerView view, Pod pod, NodeState state, HoldUse use) {
        return placerFor(pod).simulateVetoes(view, pod, state, use);
    }

    /** The hold that the pod would use on the node in this view of the ledger, if there is one. */
    public Optional<HoldId> simulateHold(LedgerView view, Pod pod, NodeState state) {
        return placerFor(pod).simulateHold(view, pod, state);
    }

    /** Places the pod on a given node: with the hold there that it fills best, else without a hold. */
    public Placement placeOn(Pod pod, NodeState state, HoldUse use) {
        return placerFor(pod).placeOn(pod, state, use);
    }

    /** The total score or the vetoes of every node, sorted by name. */
    public List<NodeVerdict> explain(Pod pod, HoldUse use) {
        return placerFor(pod).explain(pod, use);
    }
}
