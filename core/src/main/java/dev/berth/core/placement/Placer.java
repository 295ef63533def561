package dev.berth.core.placement;

import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.ledger.Snapshot;
import dev.berth.core.placement.equivalence.LedgerIndex;
import dev.berth.core.placement.filter.ClusterEventKind;
import dev.berth.core.placement.filter.DeviceFilter;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.placement.filter.VolumeFilter;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.profile.Profiles;
import dev.berth.core.placement.score.ScoreWeights;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Finds the node for a pod by the filters and scores of kube-scheduler 1.36, in the profile of the scheduler's name that
 * the pod says. The answer is a function of the ledger as it is; among equals the smaller lot of the node's name decides.
 * Reads the ledger and changes nothing: whoever asked assumes what was decided. Belongs to the thread that owns the
 * ledger.
 */
public final class Placer {
    /** What the orders kept for shapes of pods may take together. */
    private static final long DEFAULT_CAPACITY = 64L << 20;

    static final BooleanSupplier UNBOUNDED = () -> false;

    private final LedgerView ledger;
    private final Profiles profiles;
    private final DeviceFilter deviceFilter;
    private final Map<String, ProfilePlacer> byName = new HashMap<>();
    private final ProfilePlacer fallback;

    public Placer(LedgerView ledger, ScoreWeights weights) {
        this(ledger, weights, DEFAULT_CAPACITY);
    }

    /** @param deviceFilter what pods may ask for besides amounts */
    public Placer(LedgerView ledger, ScoreWeights weights, DeviceFilter deviceFilter) {
        this(ledger, Profiles.forAllPods(Profile.DEFAULT.withWeights(weights)), deviceFilter, VolumeFilter.NONE);
    }

    /** @param capacity about how many bytes the orders kept for shapes of pods may take together */
    public Placer(LedgerView ledger, ScoreWeights weights, long capacity) {
        this(
                ledger,
                Profiles.forAllPods(Profile.DEFAULT.withWeights(weights)),
                DeviceFilter.NONE,
                VolumeFilter.NONE,
                capacity);
    }

    /** @param volumeFilter what pods may mount */
    public Placer(LedgerView ledger, Profiles profiles, DeviceFilter deviceFilter, VolumeFilter volumeFilter) {
        this(ledger, profiles, deviceFilter, volumeFilter, DEFAULT_CAPACITY);
    }

    public Placer(
            LedgerView ledger, Profiles profiles, DeviceFilter deviceFilter, VolumeFilter volumeFilter, long capacity) {
        this.ledger = ledger;
        this.profiles = profiles;
        this.deviceFilter = deviceFilter;
        LedgerIndex ledgerIndex = new LedgerIndex(ledger);
        ProfileContext.Inputs inputs = new ProfileContext.Inputs(ledger, deviceFilter, volumeFilter);
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
     * The same in pieces: a pod that has holds on many nodes, or that many nodes refuse, may take longer than its caller has
     * time for.
     *
     * @param timeIsUp asked after each node; after a yes the answer may be {@link Placement.Unfinished}, and the next call goes
     *     on where this one stopped, however the ledger changed meanwhile
     */
    public Placement placeWithin(Pod pod, HoldUse use, BooleanSupplier timeIsUp) {
        return placerFor(pod).placeWithin(pod, use, timeIsUp);
    }

    /** Whose vetoes are this pod's too, wherever it has no hold; empty where that depends on the pod itself. */
    public Optional<EquivalenceClass> equivalenceClass(Pod pod, HoldUse use) {
        return placerFor(pod).equivalenceClass(pod, use);
    }

    /** Whether it matters to where the pod may be where the other one is. */
    public boolean isAffectedBy(Pod pod, Pod other) {
        return placerFor(pod).isAffectedBy(pod, other);
    }

    /** Why the node, as it is given, does not take the pod; empty when it does. */
    public List<Veto> vetoes(Pod pod, NodeState state, HoldUse use) {
        return placerFor(pod).vetoes(pod, state, use);
    }

    /** Why the pod cannot use the hold of its own on the node; empty when it can. */
    public List<Veto> vetoes(Pod pod, NodeState state, Hold own) {
        return placerFor(pod).vetoes(pod, state, own);
    }

    /** The same of each of the nodes, by name. */
    public Map<String, List<Veto>> vetoes(Pod pod, List<NodeState> states, HoldUse use) {
        return placerFor(pod).vetoes(pod, states, use);
    }

    /**
     * The extender's filter: why each of the nodes does not fit the pod, by name; nothing for a node that fits.
     *
     * @param given the pod as the caller knows it; where the ledger knows the pod, too, the ledger's counts
     */
    public Map<String, List<Veto>> filter(Pod given, List<String> nodes) {
        Pod pod = ledger.pod(given.uid()).orElse(given);
        List<NodeState> known =
                nodes.stream().flatMap(name -> ledger.node(name).stream()).toList();
        Map<String, List<Veto>> vetoes = vetoes(pod, known, HoldUse.PREFERRED);
        nodes.forEach(name -> vetoes.computeIfAbsent(name, unknown -> List.of(Veto.of(Veto.Code.NODE_UNKNOWN))));
        return vetoes;
    }

    /** What another thread needs to filter nodes as this placer does now: see {@link SnapshotFilter}. */
    public FilterState filterState(Snapshot snapshot) {
        return new FilterState(snapshot, profiles, deviceFilter.publish(snapshot));
    }

    /** The events that can have one of the nodes where the pod has holds take it. */
    public Set<ClusterEventKind> resolvingEventsAtMatchingHolds(Pod pod, HoldUse use) {
        return placerFor(pod).resolvingEventsAtMatchingHolds(pod, use);
    }

    /**
     * The events that can have the node take the pod: with one of its holds there, of which the first speaks for all in
     * {@link #vetoes}, or without.
     */
    public Set<ClusterEventKind> resolvingEvents(Pod pod, NodeState state, HoldUse use) {
        return placerFor(pod).resolvingEvents(pod, state, use);
    }

    /** Why the node would not take the pod if things were as in the view; empty when it would. */
    public List<Veto> simulateVetoes(LedgerView view, Pod pod, NodeState state, HoldUse use) {
        return placerFor(pod).simulateVetoes(view, pod, state, use);
    }

    /** The hold by which the node would take the pod if things were as in the view, if there is one. */
    public Optional<HoldId> simulateHold(LedgerView view, Pod pod, NodeState state) {
        return placerFor(pod).simulateHold(view, pod, state);
    }

    /** The pod's place on the very node that somebody else chose: by the hold there that it fills best, else without. */
    public Placement placeOn(Pod pod, NodeState state, HoldUse use) {
        return placerFor(pod).placeOn(pod, state, use);
    }

    /** What every node says to the pod, in the order of their names: its total score or its vetoes. */
    public List<NodeVerdict> explain(Pod pod, HoldUse use) {
        return placerFor(pod).explain(pod, use);
    }
}
