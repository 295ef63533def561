package dev.berth.core.decision;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.placement.Placement;
import dev.berth.core.placement.Reason;
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
final class NamedBlockers {
    private static final Duration BETWEEN = Duration.ofSeconds(1);
    private static final int AT_ONCE = 200;

    private final Map<PodUid, Set<HoldId>> named = new HashMap<>();
    private final Map<HoldId, Set<PodUid>> pods = new HashMap<>();
    private final Set<PodUid> outdated = new LinkedHashSet<>();
    private Instant next = Instant.MIN;

    /**
     * The pod's message was made from this refusal.
     *
     * @param own the holds that it names besides
     */
    void told(PodUid pod, Placement.Refused refused, List<HoldId> own) {
        forget(pod);
        Set<HoldId> holds = new LinkedHashSet<>(own);
        for (Reason reason : refused.reasons()) {
            reason.keepers().named().forEach(keeper -> holds.add(keeper.hold()));
        }
        if (!holds.isEmpty()) {
            named.put(pod, holds);
            holds.forEach(hold ->
                    pods.computeIfAbsent(hold, any -> new LinkedHashSet<>()).add(pod));
        }
    }

    /** The pod has no message any more. */
    void forget(PodUid pod) {
        outdated.remove(pod);
        @Nullable Set<HoldId> holds = named.remove(pod);
        if (holds != null) {
            for (HoldId hold : holds) {
                pods.computeIfPresent(hold, (key, uids) -> {
                    uids.remove(pod);
                    return uids.isEmpty() ? null : uids;
                });
            }
        }
    }

    /** The hold ended, or other pods may use it than before. */
    void outdated(Hold hold, Instant now) {
        @Nullable Set<PodUid> concerned = pods.get(hold.id());
        if (concerned != null) {
            if (outdated.isEmpty() && next.isBefore(now.plus(BETWEEN))) {
                next = now.plus(BETWEEN);
            }
            outdated.addAll(concerned);
        }
    }

    /** The next pods to be decided on again. */
    List<PodUid> due(Instant now) {
        if (outdated.isEmpty() || now.isBefore(next)) {
            return List.of();
        }
        List<PodUid> due = new ArrayList<>();
        Iterator<PodUid> waiting = outdated.iterator();
        while (waiting.hasNext() && due.size() < AT_ONCE) {
            due.add(waiting.next());
            waiting.remove();
        }
        next = now.plus(BETWEEN);
        return due;
    }

    Optional<Instant> nextWake() {
        return outdated.isEmpty() ? Optional.empty() : Optional.of(next);
    }
}
