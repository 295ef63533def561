package dev.berth.kubernetes.watch;

import java.time.Duration;
import java.util.Optional;

/** Why a list or a watch ended before its time. */
public record ListWatchFailure(FailureCause cause, String message, Optional<Duration> retryAfter) {
    /** What can be done about it. */
    public enum FailureCause {
        /** The server no longer knows the version: only a new list helps. */
        EXPIRED,
        /** The server has no such kind, so there are no such objects for now. */
        NOT_INSTALLED,
        /** The same of a kind that the server may well be without: nothing is wrong. */
        NOT_SERVED,
        /** It may go better next time. */
        RETRYABLE,
        /** The same where the server is to blame, and so all kinds wait. */
        SERVER_UNAVAILABLE
    }

    /** Whether there are no objects of the kind for now. */
    boolean meansNoObjects() {
        return cause == FailureCause.NOT_INSTALLED || cause == FailureCause.NOT_SERVED;
    }

    static ListWatchFailure serverUnavailable(String message) {
        return new ListWatchFailure(FailureCause.SERVER_UNAVAILABLE, message, Optional.empty());
    }

    public static ListWatchFailure retryable(String message) {
        return new ListWatchFailure(FailureCause.RETRYABLE, message, Optional.empty());
    }
}
