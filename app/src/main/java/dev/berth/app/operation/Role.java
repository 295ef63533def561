package dev.berth.app.operation;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** What this process is among its replicas, as far as it knows. Told by the election's thread, read by any. */
public final class Role {
    private static final Standing UNKNOWN = new Standing(false, false, "it is not known yet who leads");

    private volatile Standing standing = UNKNOWN;

    /**
     * @param known whether the leader is known
     * @param failing since when the Lease fails
     */
    private record Standing(boolean leading, boolean known, Optional<Instant> failing, String words) {
        private Standing(boolean leading, boolean known, String words) {
            this(leading, known, Optional.empty(), words);
        }
    }

    public void leads() {
        standing = new Standing(true, true, "it leads");
    }

    public void waitsBehind(String leader) {
        standing = new Standing(false, true, "standby: %s leads".formatted(leader));
    }

    /**
     * The holder of the Lease may have ended.
     *
     * @param renewed when the holder renewed the Lease last, where the Lease says so
     */
    public void waitsFor(String holder, Optional<Instant> renewed) {
        String last = renewed.map(at -> " since " + at.truncatedTo(ChronoUnit.SECONDS))
                .orElse("");
        standing = new Standing(
                false,
                true,
                "standby: %s holds the Lease but has not renewed it%s. Berth takes over when the Lease expires."
                        .formatted(holder, last));
    }

    /** It does not lead, and cannot know who does. The first of several failures says since when. */
    public void leaseFails(String problem, Instant now, String why) {
        Instant since = standing.failing.orElse(now);
        standing = new Standing(
                false,
                false,
                Optional.of(since),
                "%s since %s: %s".formatted(problem, since.truncatedTo(ChronoUnit.SECONDS), why));
    }

    /** The Lease fails no longer, but does not say who leads. */
    public void leaseWorks() {
        standing = UNKNOWN;
    }

    /** It does not take part in elections yet. */
    public void joins(String why) {
        standing = new Standing(false, false, "it waits to join: " + why);
    }

    public void lost(String why) {
        standing = new Standing(false, false, "the lead is lost: " + why);
    }

    public boolean leading() {
        return standing.leading;
    }

    /** Whether somebody is known to lead, this process or another. */
    public boolean known() {
        return standing.known;
    }

    @Override
    public String toString() {
        return standing.words;
    }
}
