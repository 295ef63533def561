package dev.berth.core.reporting;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.collection.SetMultimap;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.placement.Placement;
import dev.berth.core.placement.RefusalReason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The holds that the message of each unschedulable pod names. When such a hold ends, the pod is scheduled again even if
 * that does not help it, so that its message names the present blocking holds. The rate is limited: thousands of pods
 * may name the same hold, and each costs the API server a write.
 */
public final class UnschedulableMessageRefresher {
    private static final Duration REFRESH_INTERVAL = Duration.ofSeconds(1);
    private static final int PODS_PER_REFRESH = 200;

    private final Map<PodUid, Set<HoldId>> holdsByPod = new HashMap<>();
    private final SetMultimap<HoldId, PodUid> podsByHold = SetMultimap.inOrderOfAddition();
    private final Set<PodUid> outdated = new LinkedHashSet<>();
    private Instant nextRefresh = Instant.MIN;

    /**
     * The pod's message is based on this refusal.
     *
     * @param ownHolds further holds that the message names
     */
    public void onReported(PodUid pod, Placement.Refused refused, List<HoldId> ownHolds) {
        remove(pod);
        Set<HoldId> holds = new LinkedHashSet<>(ownHolds);
        for (RefusalReason reason : refused.reasons()) {
            reason.blockingHolds().named().forEach(blockingHold -> holds.add(blockingHold.hold()));
        }
        if (!holds.isEmpty()) {
            holdsByPod.put(pod, holds);
            holds.forEach(hold -> podsByHold.add(hold, pod));
        }
    }

    /** The pod has no message any more. */
    public void remove(PodUid pod) {
        outdated.remove(pod);
        @Nullable Set<HoldId> holds = holdsByPod.remove(pod);
        if (holds != null) {
            for (HoldId hold : holds) {
                podsByHold.remove(hold, pod);
            }
        }
    }

    /** The hold ended, or admits different pods now. */
    public void markOutdated(Hold hold, Instant now) {
        Set<PodUid> pods = podsByHold.get(hold.id());
        if (!pods.isEmpty()) {
            if (outdated.isEmpty() && nextRefresh.isBefore(now.plus(REFRESH_INTERVAL))) {
                nextRefresh = now.plus(REFRESH_INTERVAL);
            }
            outdated.addAll(pods);
        }
    }

    /** The next pods to schedule again. */
    public List<PodUid> pollDue(Instant now) {
        if (outdated.isEmpty() || now.isBefore(nextRefresh)) {
            return List.of();
        }
        List<PodUid> due = new ArrayList<>();
        Iterator<PodUid> waiting = outdated.iterator();
        while (waiting.hasNext() && due.size() < PODS_PER_REFRESH) {
            due.add(waiting.next());
            waiting.remove();
        }
        nextRefresh = now.plus(REFRESH_INTERVAL);
        return due;
    }

    public Optional<Instant> nextWake() {
        return outdated.isEmpty() ? Optional.empty() : Optional.of(nextRefresh);
    }
}
