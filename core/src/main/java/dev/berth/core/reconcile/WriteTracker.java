package dev.berth.core.reconcile;

import dev.berth.core.effect.WriteResult;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tracks the writes of one object.
 *
 * @param <W> the kind of write
 */
final class WriteTracker<W> {
    /** The limit of remembered messages, for a server that words each denial differently. */
    private static final int MAX_REPORTED = 16;

    /** What the tracker waits for. */
    enum WriteState {
        /** Nothing: the next desired write is sent at once. */
        IDLE,
        /** The result of a write. */
        IN_FLIGHT,
        /** The version that shows an accepted write, or the deletion of the object. */
        AWAITING_ECHO,
        /** The end of a back-off, or a newer version. */
        BACKING_OFF
    }

    private final RetryPolicy policy;
    private final Set<String> reportedDenials = new LinkedHashSet<>();
    private WriteState state = WriteState.IDLE;
    private @Nullable W sent;
    /** The version of the object at the latest write or the latest failure. */
    private String version;
    /** Whether a newer version was observed since the write in flight was sent. */
    private boolean newerVersionObserved;

    private Instant waitUntil = Instant.MAX;
    private int failures;
    private String denial = "";

    WriteTracker(RetryPolicy policy, String version) {
        this.policy = policy;
        this.version = version;
    }

    WriteState state() {
        return state;
    }

    String version() {
        return version;
    }

    /** When {@link #onTimeout} must be called; {@link Instant#MAX} for never. */
    Instant waitUntil() {
        return waitUntil;
    }

    /** The message of the latest denial, until a write is accepted. */
    Optional<String> denial() {
        return denial.isEmpty() ? Optional.empty() : Optional.of(denial);
    }

    /** The write that is in flight, or accepted and not yet observed. */
    Optional<W> unconfirmed() {
        return state == WriteState.BACKING_OFF ? Optional.empty() : Optional.ofNullable(sent);
    }

    boolean isInFlight(W write) {
        return state == WriteState.IN_FLIGHT && write.equals(sent);
    }

    /** Whether there is nothing to remember. */
    boolean isForgettable() {
        return state == WriteState.IDLE && failures == 0 && denial.isEmpty();
    }

    void onVersionSeen(String now) {
        if (now.equals(version)) {
            return;
        }
        version = now;
        failures = 0;
        if (state == WriteState.IN_FLIGHT) {
            newerVersionObserved = true;
        } else {
            becomeIdle();
        }
    }

    /** The observed object is as desired. With a precondition, this is conclusive only for a newer version. */
    void onNothingDesired() {
        if (state == WriteState.AWAITING_ECHO && !hasVersionPrecondition()) {
            becomeIdle();
        }
        if (state == WriteState.IDLE && denial.isEmpty()) {
            failures = 0;
        }
    }

    private boolean hasVersionPrecondition() {
        return policy.precondition() && !version.isEmpty();
    }

    boolean mayBeSent(W wanted) {
        boolean bound = hasVersionPrecondition() && !newerVersionObserved;
        return switch (state) {
            case IDLE -> true;
            case IN_FLIGHT, AWAITING_ECHO -> !bound && !wanted.equals(sent);
            case BACKING_OFF -> false;
        };
    }

    void onSent(W write) {
        state = WriteState.IN_FLIGHT;
        sent = write;
        newerVersionObserved = false;
        waitUntil = Instant.MAX;
    }

    /** The write in flight has a result. */
    void onResult(WriteResult writeResult, Instant now) {
        boolean alreadyObserved = newerVersionObserved;
        newerVersionObserved = false;
        switch (writeResult.kind()) {
            case WRITTEN -> {
                if (alreadyObserved) {
                    becomeIdle();
                } else {
                    enterWait(WriteState.AWAITING_ECHO, writeResult.kind(), failures + 1, now);
                }
            }
            case NOT_FOUND -> enterWait(WriteState.AWAITING_ECHO, writeResult.kind(), failures + 1, now);
            case CONFLICT -> {
                if (alreadyObserved) {
                    becomeIdle();
                } else {
                    failures++;
                    enterWait(WriteState.BACKING_OFF, writeResult.kind(), failures, now);
                }
            }
            case DENIED -> {
                failures++;
                denial = writeResult.message();
                enterWait(WriteState.BACKING_OFF, writeResult.kind(), failures, now);
            }
        }
    }

    /** The wait is over. A write without an echo counts as a failure. */
    void onTimeout() {
        if (state == WriteState.AWAITING_ECHO) {
            failures++;
        }
        becomeIdle();
    }

    /** Returns whether this denial was not reported yet, and marks it as reported. */
    boolean markDenialReported() {
        if (reportedDenials.size() >= MAX_REPORTED) {
            reportedDenials.clear();
        }
        return reportedDenials.add(denial);
    }

    /** A write was accepted, or the object is deleted. Returns whether a denial was reported before. */
    boolean clearDenial() {
        boolean wasReported = !reportedDenials.isEmpty();
        reportedDenials.clear();
        denial = "";
        return wasReported;
    }

    private void becomeIdle() {
        state = WriteState.IDLE;
        sent = null;
        newerVersionObserved = false;
        waitUntil = Instant.MAX;
    }

    /** A write that is not retried waits only for a newer version. */
    private void enterWait(WriteState next, WriteResult.ResultKind answer, int failed, Instant now) {
        state = next;
        waitUntil = policy.retryDelay(answer, failed).map(now::plus).orElse(Instant.MAX);
    }
}
