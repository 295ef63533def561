package dev.berth.kubernetes.watch;

import java.time.Duration;
import java.time.Instant;

/** Decides when the log repeats that the API server does not have a kind: lists are tried every few seconds. */
final class MissingKindLogLimiter {
    static final Duration REPEAT_INTERVAL = Duration.ofMinutes(5);

    private String lastLogged = "";
    private Instant lastLoggedAt = Instant.MIN;

    /** Whether to log the failure. Every other failure is logged, and after it a missing kind is logged again. */
    boolean shouldLog(ListWatchFailure failure, Instant now) {
        if (!failure.meansNoObjects()) {
            lastLogged = "";
            return true;
        }
        boolean due = !failure.message().equals(lastLogged) || !now.isBefore(lastLoggedAt.plus(REPEAT_INTERVAL));
        if (due) {
            lastLogged = failure.message();
            lastLoggedAt = now;
        }
        return due;
    }
}
