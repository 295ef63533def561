package dev.berth.core.reconcile;

import dev.berth.core.effect.WriteResult;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How far the writes of one object are.
 *
 * @param <W> the kind of write
 */
final class WriteTracker<W> {
    /** So many messages are remembered as told; a server that words each denial differently costs no more memory. */
    private static final int MAX_REPORTED = 16;

    /** What is awaited. */
    enum State {
        /** Nothing: the next write that is wanted is sent at once. */
        IDLE,
        /** The answer to a write. */
        IN_FLIGHT,
        /** The version that shows a write which the API server took, or that the object is gone. */
        AWAITING_ECHO,
        /** The end of a back-off, or a newer version. */
        BACKING_OFF
    }

    private final RetryPolicy policy;
    private final Set<String> reportedDenials = new LinkedHashSet<>();
    private State state = State.IDLE;
    private @Nullable W sent;
    /** The version that the latest write, or the latest failure, belongs to. */
    private String version;
    /** Whether a newer version was seen since the write in flight was sent. */
    private boolean newerVersionSeen;

    private Instant waitUntil = Instant.MAX;
    private int failures;
    private String denial = "";

    WriteTracker(RetryPolicy policy, String version) {
        this.policy = policy;
        this.version = version;
    }

    State state() {
        return state;
    }

    String version() {
        return version;
    }

    /** When {@link #onTimeout} is to be called; {@link Instant#MAX} for never. */
    Instant waitUntil() {
        return waitUntil;
    }

    /** The message of the latest denial, until a write is taken. */
    Optional<String> denial() {
        return denial.isEmpty() ? Optional.empty() : Optional.of(denial);
    }

    /** The write that is under way, or that was taken and is not seen yet. */
    Optional<W> unconfirmed() {
        return state == State.BACKING_OFF ? Optional.empty() : Optional.ofNullable(sent);
    }

    boolean isInFlight(W write) {
        return state == State.IN_FLIGHT && write.equals(sent);
    }

    /** Whether nothing need be remembered. */
    boolean isForgettable() {
        return state == State.IDLE && failures == 0 && denial.isEmpty();
    }

    void onVersionSeen(String now) {
        if (now.equals(version)) {
            return;
        }
        version = now;
        failures = 0;
        if (state == State.IN_FLIGHT) {
            newerVersionSeen = true;
        } else {
            becomeIdle();
        }
    }

    /** The object, as it was last seen, is as it should be. With a version that says nothing before a newer one. */
    void onNothingDesired() {
        if (state == State.AWAITING_ECHO && !hasVersionPrecondition()) {
            becomeIdle();
        }
        if (state == State.IDLE && denial.isEmpty()) {
            failures = 0;
        }
    }

    private boolean hasVersionPrecondition() {
        return policy.precondition() && !version.isEmpty();
    }

    boolean mayBeSent(W wanted) {
        boolean bound = hasVersionPrecondition() && !newerVersionSeen;
        return switch (state) {
            case IDLE -> true;
            case IN_FLIGHT, AWAITING_ECHO -> !bound && !wanted.equals(sent);
            case BACKING_OFF -> false;
        };
    }

    void onSent(W write) {
        state = State.IN_FLIGHT;
        sent = write;
        newerVersionSeen = false;
        waitUntil = Instant.MAX;
    }

    /** The write in flight was answered. */
    void onResult(WriteResult writeResult, Instant now) {
        boolean alreadySeen = newerVersionSeen;
        newerVersionSeen = false;
        switch (writeResult.kind()) {
            case WRITTEN -> {
                if (alreadySeen) {
                    becomeIdle();
                } else {
                    enterWait(State.AWAITING_ECHO, writeResult.kind(), failures + 1, now);
                }
            }
            case NOT_FOUND -> enterWait(State.AWAITING_ECHO, writeResult.kind(), failures + 1, now);
            case CONFLICT -> {
                if (alreadySeen) {
                    becomeIdle();
                } else {
                    failures++;
                    enterWait(State.BACKING_OFF, writeResult.kind(), failures, now);
                }
            }
            case DENIED -> {
                failures++;
                denial = writeResult.message();
                enterWait(State.BACKING_OFF, writeResult.kind(), failures, now);
            }
        }
    }

    /** The wait is over; a write whose echo did not come counts as a failure. */
    void onTimeout() {
        if (state == State.AWAITING_ECHO) {
            failures++;
        }
        becomeIdle();
    }

    /** Whether this denial was not told yet; it counts as told from now on. */
    boolean markDenialReported() {
        if (reportedDenials.size() >= MAX_REPORTED) {
            reportedDenials.clear();
        }
        return reportedDenials.add(denial);
    }

    /** A write was taken, or the object is gone: whether anybody was told of a denial before. */
    boolean clearDenial() {
        boolean wasReported = !reportedDenials.isEmpty();
        reportedDenials.clear();
        denial = "";
        return wasReported;
    }

    private void becomeIdle() {
        state = State.IDLE;
        sent = null;
        newerVersionSeen = false;
        waitUntil = Instant.MAX;
    }

    /** A write that is not sent again waits for a newer version alone. */
    private void enterWait(State next, WriteResult.Kind answer, int failed, Instant now) {
        state = next;
        waitUntil = policy.retryDelay(answer, failed).map(now::plus).orElse(Instant.MAX);
    }
}
