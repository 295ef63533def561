package dev.berth.app.diagnostics;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * The role of this process among its replicas, as far as it is known. Written by the election's thread, read by any
 * thread.
 */
public final class LeadershipStatus {
    private static final Role UNKNOWN = new Role(false, false, "the leader is not known yet");

    private volatile Role state = UNKNOWN;

    /**
     * @param leaderKnown whether the leader is known
     * @param failingSince since when the Lease fails
     */
    private record Role(boolean leading, boolean leaderKnown, Optional<Instant> failingSince, String message) {
        private Role(boolean leading, boolean known, String message) {
            this(leading, known, Optional.empty(), message);
        }
    }

    public void setLeading() {
        state = new Role(true, true, "leading");
    }

    public void setStandby(String leader) {
        state = new Role(false, true, "standby: %s is the leader".formatted(leader));
    }

    /**
     * The holder of the Lease may have ended: this process has not seen it renew the Lease yet.
     *
     * @param renewed when the holder last renewed the Lease, if the Lease says so
     */
    public void setWaitingForExpiry(String holder, Optional<Instant> renewed) {
        String last = renewed.map(at -> ", last renewed at " + at.truncatedTo(ChronoUnit.SECONDS))
                .orElse("");
        state = new Role(
                false,
                true,
                "standby: %s holds the Lease%s. Berth takes over if the Lease expires.".formatted(holder, last));
    }

    /**
     * This process is not the leader, and cannot know which process is. The first of several failures sets the time.
     */
    public void setLeaseFailing(String problem, Instant now, String why) {
        Instant since = state.failingSince.orElse(now);
        state = new Role(
                false,
                false,
                Optional.of(since),
                "%s since %s: %s".formatted(problem, since.truncatedTo(ChronoUnit.SECONDS), why));
    }

    /** The Lease works again, but does not say which process is the leader. */
    public void clearLeaseFailure() {
        state = UNKNOWN;
    }

    /** The process does not take part in the election yet. */
    public void setWaitingToJoin(String why) {
        state = new Role(false, false, "waiting to join: " + why);
    }

    public void setLost(String why) {
        state = new Role(false, false, "leadership lost: " + why);
    }

    public boolean isLeading() {
        return state.leading;
    }

    /** Whether a leader is known, this process or a different one. */
    public boolean isLeaderKnown() {
        return state.leaderKnown;
    }

    @Override
    public String toString() {
        return state.message;
    }
}
