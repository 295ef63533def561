package dev.berth.kubernetes.watch;

import java.time.Duration;
import java.time.Instant;

/** Decides when the log says again that the API server does not have a kind: lists are tried every few seconds. */
final class AbsenceReminder {
    static final Duration REPEAT = Duration.ofMinutes(5);

    private String logged = "";
    private Instant at = Instant.MIN;

    /** Whether the failure is to be logged. Every other failure is, and makes the next absence news. */
    boolean due(Failure failure, Instant now) {
        if (!failure.meansNone()) {
            logged = "";
            return true;
        }
        boolean due = !failure.message().equals(logged) || !now.isBefore(at.plus(REPEAT));
        if (due) {
            logged = failure.message();
            at = now;
        }
        return due;
    }
}
