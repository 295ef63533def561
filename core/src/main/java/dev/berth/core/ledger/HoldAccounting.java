package dev.berth.core.ledger;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.HoldState.Draws;
import dev.berth.core.persistent.PackedMap;
import dev.berth.core.resource.Resources;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Computes what the holds of one node still hold: outstanding(h) = max(0, size − claims − backers − draws). This takes three
 * stages: the hold's own claims, then {@link BackerCredits} (which pod's resources count for which hold), then {@link
 * DrawAllocator} (what holds draw on other holds). Each stage recomputes only what an update or the stage before it changed,
 * and no stage reads results of a later one.
 */
final class HoldAccounting {
    private final ClaimResolver claimResolver;
    private final Map<HoldId, HoldBalance> balances = new HashMap<>();
    private final BackerCredits credits;
    /** By the hold that other holds draw on. */
    private final Map<HoldId, DrawAllocator> allocatorsBySource = new HashMap<>();
    /** The sources whose draws must be recomputed. */
    private final Set<HoldId> changedSources = new HashSet<>();
    /** Holds that may not draw on their source although the source exists. */
    private final TreeSet<HoldId> deniedDraws = new TreeSet<>();

    /** Holds that were added, changed or removed, or whose claims changed. */
    private final Set<HoldId> changed = new HashSet<>();
    /** Present and former backers that were added, changed or removed, or whose holds or claims changed. */
    private final Set<PodUid> changedBackers = new HashSet<>();

    HoldAccounting(ClaimResolver claimResolver) {
        this.claimResolver = claimResolver;
        this.credits = new BackerCredits(balances, claimResolver);
    }

    void put(Hold hold) {
        credits.put(hold);
        markChanged(hold);
    }

    void remove(Hold hold) {
        credits.remove(hold);
        markChanged(hold);
    }

    private void markChanged(Hold hold) {
        changed.add(hold.id());
        changedBackers.addAll(hold.backers());
        markDrawChanged(hold);
    }

    private void markDrawChanged(Hold hold) {
        hold.draw().ifPresent(draw -> {
            changedSources.add(draw.source());
            allocatorOf(draw.source()).markChanged(hold.id());
        });
    }

    private DrawAllocator allocatorOf(HoldId source) {
        return allocatorsBySource.computeIfAbsent(source, id -> new DrawAllocator(id, claimResolver));
    }

    /** The pod was added, removed or changed. Returns whether it backs a hold. */
    boolean onPodChanged(PodUid pod) {
        if (credits.isBacker(pod)) {
            changedBackers.add(pod);
            return true;
        }
        return false;
    }

    /** The holds that the pod backs, in the order of their ids. */
    List<HoldId> holdsBackedBy(PodUid pod) {
        return List.copyOf(credits.holdsBackedBy(pod));
    }

    /**
     * Recomputes what changed.
     *
     * @param holds the holds of the node
     * @param changedClaims what changed of their claims
     * @param activePods the pods that use the node
     * @return the states that may have changed
     */
    List<HoldState> recompute(
            String nodeName,
            Map<HoldId, Hold> holds,
            ClaimResolver.ChangedClaims changedClaims,
            PackedMap<PodUid, Pod> activePods) {
        changed.addAll(changedClaims.holds());
        changedBackers.addAll(changedClaims.pods());
        changed.forEach(id -> refresh(id, holds.get(id), activePods));
        Set<HoldId> affected = new HashSet<>(changed);
        // On most nodes no holds are linked.
        if (credits.isEmpty()) {
            recomputeUse(activePods);
        } else {
            affected.addAll(recomputeCredits(activePods));
        }
        if (!allocatorsBySource.isEmpty()) {
            affected.addAll(recomputeDraws(Set.copyOf(affected)));
        }
        changed.clear();
        changedBackers.clear();
        List<HoldState> states = new ArrayList<>(affected.size());
        for (HoldId id : affected) {
            @Nullable HoldBalance entry = balances.get(id);
            if (entry != null) {
                states.add(entry.state(nodeName, drawsOf(entry.hold())));
            }
        }
        return states;
    }

    private void refresh(HoldId id, @Nullable Hold hold, PackedMap<PodUid, Pod> activePods) {
        if (hold == null) {
            balances.remove(id);
            return;
        }
        HoldBalance entry = balances.computeIfAbsent(id, same -> new HoldBalance(hold));
        entry.refresh(hold, claimResolver.claimsOn(id).values(), activePods);
    }

    private void recomputeUse(PackedMap<PodUid, Pod> activePods) {
        for (HoldId id : changed) {
            @Nullable HoldBalance entry = balances.get(id);
            if (entry != null) {
                entry.recomputeUse(credits, activePods);
            }
        }
    }

    /** The second stage. Returns the holds whose credits changed, and the holds whose claims use them differently. */
    private Set<HoldId> recomputeCredits(PackedMap<PodUid, Pod> activePods) {
        SortedSet<HoldId> group = credits.linkedWith(changed, changedBackers);
        Set<PodUid> pods = new HashSet<>(changedBackers);
        group.forEach(id -> pods.addAll(balance(id).hold().backers()));
        Map<PodUid, Resources> before = credits.uncreditedRequests(pods);
        credits.credit(group, changedBackers, activePods);
        recomputeUse(activePods);
        Set<HoldId> affected = new HashSet<>(group);
        Map<PodUid, Resources> after = credits.uncreditedRequests(pods);
        for (PodUid pod : pods) {
            Resources all = BackerCredits.requests(activePods.get(pod));
            Resources uncreditedBefore = before.getOrDefault(pod, all);
            Resources uncreditedAfter = after.getOrDefault(pod, all);
            Optional<HoldId> claimed =
                    claimResolver.findByPod(pod).map(Claim::hold).filter(id -> !changed.contains(id));
            if (claimed.isPresent() && !uncreditedBefore.equals(uncreditedAfter)) {
                HoldBalance entry = balance(claimed.get());
                if (!entry.adjustUse(uncreditedBefore, uncreditedAfter)) {
                    entry.recomputeUse(credits, activePods);
                }
                affected.add(claimed.get());
            }
        }
        return affected;
    }

    /** The third stage. Returns the holds whose draws changed, as source or as drawing hold. */
    private Set<HoldId> recomputeDraws(Set<HoldId> affected) {
        for (HoldId id : affected) {
            @Nullable HoldBalance entry = balances.get(id);
            if (entry != null) {
                markDrawChanged(entry.hold());
            }
            if (allocatorsBySource.containsKey(id)) {
                changedSources.add(id);
            }
        }
        Set<HoldId> found = new HashSet<>(changedSources);
        for (HoldId source : changedSources) {
            DrawAllocator allocator = allocatorOf(source);
            for (HoldId id : allocator.distribute(balances.get(source), balances)) {
                found.add(id);
                updateDeniedDraw(id);
            }
            if (allocator.isEmpty()) {
                allocatorsBySource.remove(source);
            }
        }
        changedSources.clear();
        return found;
    }

    private void updateDeniedDraw(HoldId id) {
        @Nullable HoldBalance entry = balances.get(id);
        boolean isDenied = entry != null
                && entry.hold()
                        .draw()
                        .filter(draw -> balances.containsKey(draw.source()))
                        .isPresent()
                && drawsOf(entry.hold()).source().isEmpty();
        if (isDenied) {
            deniedDraws.add(id);
        } else {
            deniedDraws.remove(id);
        }
    }

    private Draws drawsOf(Hold hold) {
        @Nullable DrawAllocator allocator = allocatorsBySource.get(hold.id());
        Optional<HoldId> source = hold.draw().map(draw -> draw.source());
        Optional<Resources> taken = source.map(allocatorsBySource::get).flatMap(its -> its.takenBy(hold.id()));
        if (allocator == null && taken.isEmpty()) {
            return Draws.NONE;
        }
        return new Draws(
                allocator == null ? 0 : allocator.count(),
                allocator == null ? Resources.NONE : allocator.given(),
                taken.isPresent() ? source : Optional.empty(),
                taken.orElse(Resources.NONE));
    }

    private HoldBalance balance(HoldId id) {
        return HoldBalance.require(id, balances);
    }

    /** Whether a pod backs a hold, or backed one before the last {@link #recompute}. */
    boolean hasBackers() {
        return !credits.isEmpty();
    }

    boolean hasDeniedDraws() {
        return !deniedDraws.isEmpty();
    }

    /**
     * The holds that can no longer draw on their source, and whose resources the node does not have in addition to the source, in the
     * order of their ids. A hold that draws only a part is not among them: it had the rest from the node.
     *
     * @param free what is free on the node
     */
    List<Hold> brokenDraws(Resources free) {
        if (deniedDraws.isEmpty() || free.atLeastZero().equals(free)) {
            return List.of();
        }
        List<Hold> broken = new ArrayList<>();
        for (HoldId id : deniedDraws) {
            Hold hold = balance(id).hold();
            Hold source = balance(hold.draw().orElseThrow().source()).hold();
            if (isShortOf(hold.size().min(source.size()), free)) {
                broken.add(hold);
            }
        }
        return broken;
    }

    private static boolean isShortOf(Resources shared, Resources free) {
        for (int i = 0; i < shared.size(); i++) {
            if (free.get(shared.nameAt(i)) < 0 && shared.amountAt(i) > 0) {
                return true;
            }
        }
        return false;
    }
}
