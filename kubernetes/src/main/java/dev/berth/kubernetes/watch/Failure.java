package dev.berth.kubernetes.watch;

import java.time.Duration;
import java.util.Optional;

/** Why a list or a watch ended before its time. */
public record Failure(Kind kind, String message, Optional<Duration> retryAfter) {
    /** What can be done about it. */
    public enum Kind {
        /** The server no longer knows the version: only a new list helps. */
        EXPIRED,
        /** The server has no such kind, so there are no such objects for now. */
        ABSENT,
        /** The same of a kind that the server may well be without: nothing is wrong. */
        NOT_OFFERED,
        /** It may go better next time. */
        BROKEN,
        /** The same where the server is to blame, and so all kinds wait. */
        AWAY
    }

    /** Whether there are no objects of the kind for now. */
    boolean meansNone() {
        return kind == Kind.ABSENT || kind == Kind.NOT_OFFERED;
    }

    static Failure away(String message) {
        return new Failure(Kind.AWAY, message, Optional.empty());
    }

    public static Failure broken(String message) {
        return new Failure(Kind.BROKEN, message, Optional.empty());
    }
}
