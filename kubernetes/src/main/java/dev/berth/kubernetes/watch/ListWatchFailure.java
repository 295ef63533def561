package dev.berth.kubernetes.watch;

import java.time.Duration;
import java.util.Optional;

/** Why a list or a watch failed. */
public record ListWatchFailure(FailureCause cause, String message, Optional<Duration> retryAfter) {
    /** The kind of failure. */
    public enum FailureCause {
        /** The server no longer knows the version: only a new list helps. */
        EXPIRED,
        /** The server does not have the kind, so there are no such objects for now. */
        NOT_INSTALLED,
        /** The server does not have an optional kind: this is not an error. */
        NOT_SERVED,
        /** A retry may succeed. */
        RETRYABLE,
        /** The server is unavailable, and so are all kinds. */
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
