package dev.berth.core.door.comeback;

import dev.berth.core.decision.Desk;
import dev.berth.core.decision.Effect;
import java.time.Duration;
import java.time.Instant;

/** One reservation that the API server shows, and what this process knows of its end. */
final class KeptEntry {
    /** As it counts: one that an edit made malformed counts as it was read before. */
    Placeholder seen;
    /** The API server took the mark, or says that there is no such object: what is left is to delete it. */
    boolean marked;
    /** The API server took a write which outlives the record of the pod that took the place. */
    boolean durable;
    /** Its author was told that its time is over. */
    boolean endTold;
    /** Its node or its StatefulSet is gone, or its time was over before the watch showed it. */
    boolean doomed;
    /** Its time was over in this process, and its room may be another pod's: an edit of its ttl does not bring it back. */
    private boolean expired;
    /** It can no longer draw on the hold that it was part of, and the node has no room for it beside that hold. */
    boolean drawBroken;
    /** Its room was given to other pods before this process started. */
    boolean roomGivenAway;

    private String told = "";
    /** What is wrong since an edit. */
    private String spoiled = "";

    KeptEntry(Placeholder seen) {
        this.seen = seen;
    }

    /** Its time is over. */
    void expire() {
        expired = true;
    }

    /** @param usual how long a place is kept where the Reservation does not say */
    boolean isLate(Duration usual, Instant now) {
        expired |= !seen.deadline(usual).isAfter(now);
        return expired;
    }

    /** Whether it ended before its time, and not by a successor. */
    boolean isAbandoned() {
        return doomed || drawBroken || roomGivenAway || seen.terminating();
    }

    /** As an object that cannot be read at all, one that is edited into something malformed stays as it was last read. */
    Placeholder lastReadable(Placeholder news, Desk desk) {
        Placeholder before = seen;
        if (news.problem().isEmpty() || !before.problem().isEmpty()) {
            spoiled = "";
            return news;
        }
        if (!spoiled.equals(news.problem())) {
            spoiled = news.problem();
            String note = "The Reservation keeps the place as before the edit until Berth restarts, and then nothing: ";
            Petitions.complain(news.subject(), note + news.problem(), desk);
        }
        String phase = news.phase().isEmpty() ? before.phase() : news.phase();
        return before.toBuilder().terminating(news.terminating()).phase(phase).build();
    }

    /** Tells once why it keeps nothing. */
    void complain(String words, Desk desk) {
        if (!told.equals(words)) {
            told = words;
            Petitions.complain(seen.subject(), words, desk);
        }
    }

    /** Tells once why it ended before its time. */
    void announceFailure(String why, Desk desk) {
        String note = "the reservation ended: " + why;
        if (!told.equals(note)) {
            told = note;
            desk.write(new Effect.Announce(
                    seen.subject(), Effect.Announce.Kind.warning("ReservationFailed", "Releasing"), note));
        }
    }

    /** Reports once that no pod took the place in time. */
    void announceEnd(Desk desk) {
        if (!endTold) {
            endTold = true;
            desk.write(new Effect.Announce(
                    seen.subject(),
                    Effect.Announce.Kind.normal("TimeOut", "Releasing"),
                    "No pod returned to node %s before the reservation expired. Its room is free."
                            .formatted(seen.node())));
        }
    }
}
