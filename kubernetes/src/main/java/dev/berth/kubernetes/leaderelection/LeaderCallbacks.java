package dev.berth.kubernetes.leaderelection;

import java.time.Instant;
import java.util.Optional;

/** Hears how the election goes, on the election's thread. Must not take long. */
public interface LeaderCallbacks {
    /**
     * This process leads from now on, and nobody else's writes are under way any more.
     *
     * @param resumeVersion up to which version of pods its predecessor had written everything that follows
     */
    void onStartedLeading(Optional<String> resumeVersion);

    /**
     * This process leads no longer, or may no longer be sure that it does: nothing more may be written. It does not stand
     * again.
     */
    void onStoppedLeading(String reason);

    /**
     * Whether another candidate is to take a free Lease first. It has some retry periods to do so.
     *
     * @param previousHolder which process held the Lease last: it let go of it or did not renew it, so it is no such candidate.
     *     Empty where that is not known
     */
    default boolean shouldYield(String previousHolder) {
        return false;
    }

    /** Another process was seen to renew the Lease, for the first time since somebody else held it. */
    default void onNewLeader(String identity) {}

    /**
     * Another process holds the Lease, and this one waits. Called whenever one of these has changed, and after a failure.
     *
     * @param isRenewing whether the holder was seen to renew the Lease lately: else it may have ended
     * @param renewTime when the Lease says that it was last renewed, by its holder's clock
     */
    default void onStandby(String holder, boolean isRenewing, Optional<Instant> renewTime) {}

    /**
     * The Lease cannot be read, or not be written, by this process, which does not lead: nobody knows here who does.
     *
     * @param problem in words, without its reason
     */
    default void onLeaseError(String problem, String reason) {}

    /** What {@link #onLeaseError} said is over. Who leads is not known yet: it is said next, where somebody does. */
    default void onLeaseRecovered() {}
}
