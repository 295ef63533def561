package dev.berth.core.door.comeback;

import dev.berth.core.decision.Desk;
import dev.berth.core.decision.Effect;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One reservation that the API server shows, and what this process knows of its end. */
final class KeptEntry {
    private static final Effect.Announce.Kind NO_ROOM = Effect.Announce.Kind.warning("ReservationFailed", "Reserving");

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

    /** Its node has no room for it: it keeps nothing. */
    boolean unheld;
    /** What an edit wants, where there is no room for that: the place stays as before. */
    private @Nullable Placeholder edit;

    /** What it wanted when its author was told that there is no room for it. */
    private @Nullable Placeholder lacking;

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

    /**
     * Whether its room may be another pod's before its time is over. The next leader ends it, too, and must know for that
     * that Berth wrote it: otherwise it would wait for room.
     */
    boolean lostItsRoom() {
        return drawBroken || roomGivenAway;
    }

    /** Whether it ended before its time, and not by a successor. */
    boolean isAbandoned() {
        return doomed || lostItsRoom() || seen.terminating();
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
        return asBefore(news);
    }

    /** As before an edit that does not count. */
    private Placeholder asBefore(Placeholder news) {
        String phase = news.phase().isEmpty() ? seen.phase() : news.phase();
        return seen.toBuilder().terminating(news.terminating()).phase(phase).build();
    }

    /** As it should be once there is room for that. */
    Placeholder wanted() {
        return edit == null ? seen : edit;
    }

    /** It keeps what it says. */
    void found() {
        unheld = false;
        edit = null;
    }

    /** There is no room for it. Tells so once, however often it is tried again, and once more after each edit. */
    void lacksRoom(Desk desk) {
        if (!unheld || !seen.wantsTheSameAs(lacking)) {
            unheld = true;
            lacking = seen;
            String note = "The Reservation keeps nothing until node %s has room for it: %s."
                    .formatted(seen.node(), NoRoom.words(seen, desk));
            desk.write(new Effect.Announce(seen.subject(), NO_ROOM, note));
        }
    }

    /** There is no room for what an edit wants. Returns the Reservation as it counts until there is. */
    Placeholder lacksRoomFor(Placeholder news, Desk desk) {
        if (!news.equals(edit)) {
            edit = news;
            String note = ("The Reservation keeps the place as before the edit until node %s has room for the edit: %s."
                            + " If Berth restarts before that, the Reservation keeps nothing.")
                    .formatted(news.node(), NoRoom.words(news, desk));
            desk.write(new Effect.Announce(seen.subject(), NO_ROOM, note));
        }
        return asBefore(news);
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

    /** Reports once that its time is over. */
    void announceEnd(String note, Desk desk) {
        if (!endTold) {
            endTold = true;
            desk.write(new Effect.Announce(seen.subject(), Effect.Announce.Kind.normal("TimeOut", "Releasing"), note));
        }
    }
}
