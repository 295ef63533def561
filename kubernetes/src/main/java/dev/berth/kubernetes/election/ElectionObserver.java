package dev.berth.kubernetes.election;

import java.util.Optional;

/** Hears how the election goes, on the election's thread. Must not take long. */
public interface ElectionObserver {
    /**
     * This process leads from now on, and nobody else's writes are under way any more.
     *
     * @param durableVersion up to which version of pods its predecessor had written everything that follows
     */
    void leading(Optional<String> durableVersion);

    /**
     * This process leads no longer, or may no longer be sure that it does: nothing more may be written. It does not stand
     * again.
     */
    void lost(String why);

    /**
     * Whether another candidate is to take a free Lease first. It has some retry periods to do so.
     *
     * @param before which process held the Lease last: it let go of it or did not renew it, so it is no such candidate.
     *     Empty where that is not known
     */
    default boolean defers(String before) {
        return false;
    }

    /** Somebody else leads. */
    default void otherLeads(String identity) {}
}
