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
        /** It may go better next time. */
        BROKEN
    }

    public static Failure broken(String message) {
        return new Failure(Kind.BROKEN, message, Optional.empty());
    }
}
