package dev.berth.core.door.koordinator;

import dev.berth.core.door.koordinator.settings.MoveSettings;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The reservations whose move the limit per minute postpones, in order. Only the first one waits for a time, and the next
 * one is checked when the first one has left the queue. If each one waited for the next move, the check of all of them
 * would take much of the loop's time, every second.
 */
final class MoveQueue {
    private final MoveRateLimiter limiter;
    private final Set<String> uids = new LinkedHashSet<>();
    private final Consumer<String> onFirst;

    /** @param onFirst called with the UID of a reservation that became the first one */
    MoveQueue(MoveSettings settings, Consumer<String> onFirst) {
        this.limiter = new MoveRateLimiter(settings);
        this.onFirst = onFirst;
    }

    /**
     * Whether the limit allows the move now.
     *
     * @param retryAt when to ask again if not; empty for a reservation that is not the first one
     */
    record Turn(boolean allowed, Optional<Instant> retryAt) {}

    Turn acquire(String uid, ZoneHealth.MoveRate rate, Instant now) {
        if (rate == ZoneHealth.MoveRate.STOPPED) {
            remove(uid);
            return new Turn(false, limiter.acquire(rate, now));
        }
        uids.add(uid);
        if (!isFirst(uid)) {
            return new Turn(false, Optional.empty());
        }
        Optional<Instant> retryAt = limiter.acquire(rate, now);
        if (retryAt.isEmpty()) {
            remove(uid);
        }
        return new Turn(retryAt.isEmpty(), retryAt);
    }

    /** The reservation does not wait any more. */
    void remove(String uid) {
        boolean first = isFirst(uid);
        if (uids.remove(uid) && first) {
            uids.stream().findFirst().ifPresent(onFirst);
        }
    }

    private boolean isFirst(String uid) {
        return uids.stream().findFirst().filter(uid::equals).isPresent();
    }
}
