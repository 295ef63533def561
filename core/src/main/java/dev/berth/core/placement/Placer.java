package dev.berth.core.placement;

import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.filter.Devices;
import dev.berth.core.placement.filter.Hint;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.placement.filter.Volumes;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.profile.Profiles;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.placement.shape.Mirror;
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
    private static final long CAPACITY = 64L << 20;

    static final BooleanSupplier UNBOUNDED = () -> false;

    private final Map<String, ProfilePlacer> byName = new HashMap<>();
    private final ProfilePlacer others;

    public Placer(LedgerView ledger, ScoreWeights weights) {
        this(ledger, weights, CAPACITY);
    }

    /** @param devices what pods may ask for besides amounts */
    public Placer(LedgerView ledger, ScoreWeights weights, Devices devices) {
        this(ledger, Profiles.same(Profile.DEFAULT.withWeights(weights)), devices, Volumes.NONE);
    }

    /** @param capacity about how many bytes the orders kept for shapes of pods may take together */
    public Placer(LedgerView ledger, ScoreWeights weights, long capacity) {
        this(ledger, Profiles.same(Profile.DEFAULT.withWeights(weights)), Devices.NONE, Volumes.NONE, capacity);
    }

    /** @param volumes what pods may mount */
    public Placer(LedgerView ledger, Profiles profiles, Devices devices, Volumes volumes) {
        this(ledger, profiles, devices, volumes, CAPACITY);
    }

    public Placer(LedgerView ledger, Profiles profiles, Devices devices, Volumes volumes, long capacity) {
        Mirror mirror = new Mirror(ledger);
        ProfilePlacer.World world = new ProfilePlacer.World(ledger, devices, volumes);
        Map<Profile, ProfilePlacer> byProfile = new HashMap<>();
        long different = profiles.byName().values().stream().distinct().count();
        long share = capacity / Math.max(1, different);
        profiles.byName()
                .forEach((name, profile) -> byName.put(
                        name, byProfile.computeIfAbsent(profile, one -> new ProfilePlacer(mirror, world, one, share))));
        this.others = byProfile.computeIfAbsent(profiles.others(), one -> new ProfilePlacer(mirror, world, one, share));
        if (byProfile.size() == 1) {
            byName.clear();
        }
    }

    private ProfilePlacer of(Pod pod) {
        return byName.isEmpty() ? others : byName.getOrDefault(pod.schedulerName(), others);
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
        return of(pod).placeWithin(pod, use, timeIsUp);
    }

    /** Whose vetoes are this pod's too, wherever it has no hold; empty where that depends on the pod itself. */
    public Optional<Kin> kin(Pod pod, HoldUse use) {
        return of(pod).kin(pod, use);
    }

    /** Whether it matters to where the pod may be where the other one is. */
    public boolean concerns(Pod pod, Pod other) {
        return of(pod).concerns(pod, other);
    }

    /** Why the node, as it is given, does not take the pod; empty when it does. */
    public List<Veto> vetoes(Pod pod, NodeState state, HoldUse use) {
        return of(pod).vetoes(pod, state, use);
    }

    /** Why the pod cannot use the hold of its own on the node; empty when it can. */
    public List<Veto> vetoes(Pod pod, NodeState state, Hold own) {
        return of(pod).vetoes(pod, state, own);
    }

    /** The same of each of the nodes, by name. */
    public Map<String, List<Veto>> vetoes(Pod pod, List<NodeState> states, HoldUse use) {
        return of(pod).vetoes(pod, states, use);
    }

    /** The events that can have one of the nodes where the pod has holds take it. */
    public Set<Hint> hintsAtOwnHolds(Pod pod, HoldUse use) {
        return of(pod).hintsAtOwnHolds(pod, use);
    }

    /**
     * The events that can have the node take the pod: with one of its holds there, of which the first speaks for all in
     * {@link #vetoes}, or without.
     */
    public Set<Hint> hints(Pod pod, NodeState state, HoldUse use) {
        return of(pod).hints(pod, state, use);
    }

    /** Why the node would not take the pod if things were as in the view; empty when it would. */
    public List<Veto> vetoesIn(LedgerView view, Pod pod, NodeState state, HoldUse use) {
        return of(pod).vetoesIn(view, pod, state, use);
    }

    /** The hold by which the node would take the pod if things were as in the view, if there is one. */
    public Optional<HoldId> holdIn(LedgerView view, Pod pod, NodeState state) {
        return of(pod).holdIn(view, pod, state);
    }

    /** The pod's place on the very node that somebody else chose: by the hold there that it fills best, else without. */
    public Placement placeOn(Pod pod, NodeState state, HoldUse use) {
        return of(pod).placeOn(pod, state, use);
    }

    /** What every node says to the pod, in the order of their names: its total score or its vetoes. */
    public List<NodeVerdict> explain(Pod pod, HoldUse use) {
        return of(pod).explain(pod, use);
    }
}
