package dev.berth.kubernetes.leaderelection;

import java.time.Instant;
import java.util.Optional;

/** Receives changes of leadership, on the thread of the election. Must be fast. */
public interface LeaderCallbacks {
    /**
     * This process is the leader now, and no other process has writes in flight any more.
     *
     * @param resumeVersion the pod resourceVersion up to which the predecessor has written all consequences
     */
    void onStartedLeading(Optional<String> resumeVersion);

    /**
     * This process is not the leader any more, or cannot be sure of it: nothing more may be written. It does not become
     * a candidate again.
     */
    void onStoppedLeading(String reason);

    /**
     * Whether a different candidate should take a free Lease first. It has some retry periods to do so.
     *
     * @param previousHolder the process that held the Lease last. It released or did not renew the Lease, so it is no
     * such candidate. Empty if it is not known
     */
    default boolean shouldYield(String previousHolder) {
        return false;
    }

    /** Another process was observed to renew the Lease, for the first time since the holder changed. */
    default void onNewLeader(String identity) {}

    /**
     * Another process holds the Lease, and this one waits. Called whenever one of these values changed, and after a
     * failure.
     *
     * @param isRenewing whether the holder was recently observed to renew the Lease; otherwise it may have ended
     * @param renewTime the renewTime of the Lease, by its holder's clock
     */
    default void onStandby(String holder, boolean isRenewing, Optional<Instant> renewTime) {}

    /**
     * This process is not the leader, and cannot read or write the Lease. The leader is unknown.
     *
     * @param problem the message without its reason
     */
    default void onLeaseError(String problem, String reason) {}

    /**
     * The error of {@link #onLeaseError} is over. The leader is not known yet: a further call follows if there is one.
     */
    default void onLeaseRecovered() {}
}
