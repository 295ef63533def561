package dev.berth.core.reporting;

import dev.berth.core.cluster.PodUid;
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
 * Which holds the message of each refused pod names. When such a hold ends, the pod is decided on again though that does
 * not help it, so that its message names what blocks it now. So many pods a second and no more: thousands may name the
 * same hold, and each costs the API server a write.
 */
public final class UnschedulableMessageRefresher {
    private static final Duration REFRESH_INTERVAL = Duration.ofSeconds(1);
    private static final int PODS_PER_REFRESH = 200;

    private final Map<PodUid, Set<HoldId>> holdsByPod = new HashMap<>();
    private final Map<HoldId, Set<PodUid>> podsByHold = new HashMap<>();
    private final Set<PodUid> outdated = new LinkedHashSet<>();
    private Instant nextRefresh = Instant.MIN;

    /**
     * The pod's message was made from this refusal.
     *
     * @param ownHolds the holds that it names besides
     */
    public void onReported(PodUid pod, Placement.Refused refused, List<HoldId> ownHolds) {
        forget(pod);
        Set<HoldId> holds = new LinkedHashSet<>(ownHolds);
        for (RefusalReason reason : refused.reasons()) {
            reason.blockingHolds().named().forEach(blockingHold -> holds.add(blockingHold.hold()));
        }
        if (!holds.isEmpty()) {
            holdsByPod.put(pod, holds);
            holds.forEach(hold -> podsByHold
                    .computeIfAbsent(hold, any -> new LinkedHashSet<>())
                    .add(pod));
        }
    }

    /** The pod has no message any more. */
    public void forget(PodUid pod) {
        outdated.remove(pod);
        @Nullable Set<HoldId> holds = holdsByPod.remove(pod);
        if (holds != null) {
            for (HoldId hold : holds) {
                podsByHold.computeIfPresent(hold, (key, uids) -> {
                    uids.remove(pod);
                    return uids.isEmpty() ? null : uids;
                });
            }
        }
    }

    /** The hold ended, or other pods may use it than before. */
    public void markOutdated(Hold hold, Instant now) {
        @Nullable Set<PodUid> concerned = podsByHold.get(hold.id());
        if (concerned != null) {
            if (outdated.isEmpty() && nextRefresh.isBefore(now.plus(REFRESH_INTERVAL))) {
                nextRefresh = now.plus(REFRESH_INTERVAL);
            }
            outdated.addAll(concerned);
        }
    }

    /** The next pods to be decided on again. */
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
