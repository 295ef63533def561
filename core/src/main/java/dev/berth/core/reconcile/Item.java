package dev.berth.core.reconcile;

import dev.berth.core.decision.Outcome;
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
final class Item<W> {
    /** So many messages are remembered as told; a server that words each denial differently costs no more memory. */
    private static final int MOST_TOLD = 16;

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

    private final Policy policy;
    private final Set<String> told = new LinkedHashSet<>();
    private State state = State.IDLE;
    private @Nullable W sent;
    /** The version that the latest write, or the latest failure, belongs to. */
    private String version;
    /** Whether a newer version was seen since the write in flight was sent. */
    private boolean overtaken;

    private Instant until = Instant.MAX;
    private int failures;
    private String denial = "";

    Item(Policy policy, String version) {
        this.policy = policy;
        this.version = version;
    }

    State state() {
        return state;
    }

    String version() {
        return version;
    }

    /** When {@link #timeOut} is to be called; {@link Instant#MAX} for never. */
    Instant until() {
        return until;
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
    boolean isOver() {
        return state == State.IDLE && failures == 0 && denial.isEmpty();
    }

    void seen(String now) {
        if (now.equals(version)) {
            return;
        }
        version = now;
        failures = 0;
        if (state == State.IN_FLIGHT) {
            overtaken = true;
        } else {
            idle();
        }
    }

    /** The object, as it was last seen, is as it should be. With a version that says nothing before a newer one. */
    void satisfied() {
        if (state == State.AWAITING_ECHO && !preconditioned()) {
            idle();
        }
        if (state == State.IDLE && denial.isEmpty()) {
            failures = 0;
        }
    }

    private boolean preconditioned() {
        return policy.precondition() && !version.isEmpty();
    }

    boolean mayBeSent(W wanted) {
        boolean bound = preconditioned() && !overtaken;
        return switch (state) {
            case IDLE -> true;
            case IN_FLIGHT, AWAITING_ECHO -> !bound && !wanted.equals(sent);
            case BACKING_OFF -> false;
        };
    }

    void sent(W write) {
        state = State.IN_FLIGHT;
        sent = write;
        overtaken = false;
        until = Instant.MAX;
    }

    /** The write in flight was answered. */
    void answered(Outcome outcome, Instant now) {
        boolean shown = overtaken;
        overtaken = false;
        switch (outcome.kind()) {
            case WRITTEN -> {
                if (shown) {
                    idle();
                } else {
                    wait(State.AWAITING_ECHO, outcome.kind(), failures + 1, now);
                }
            }
            case GONE -> wait(State.AWAITING_ECHO, outcome.kind(), failures + 1, now);
            case CONFLICT -> {
                if (shown) {
                    idle();
                } else {
                    failures++;
                    wait(State.BACKING_OFF, outcome.kind(), failures, now);
                }
            }
            case DENIED -> {
                failures++;
                denial = outcome.message();
                wait(State.BACKING_OFF, outcome.kind(), failures, now);
            }
        }
    }

    /** The wait is over; a write whose echo did not come counts as a failure. */
    void timeOut() {
        if (state == State.AWAITING_ECHO) {
            failures++;
        }
        idle();
    }

    /** Whether this denial was not told yet; it counts as told from now on. */
    boolean tell() {
        if (told.size() >= MOST_TOLD) {
            told.clear();
        }
        return told.add(denial);
    }

    /** A write was taken, or the object is gone: whether anybody was told of a denial before. */
    boolean allowed() {
        boolean wasTold = !told.isEmpty();
        told.clear();
        denial = "";
        return wasTold;
    }

    private void idle() {
        state = State.IDLE;
        sent = null;
        overtaken = false;
        until = Instant.MAX;
    }

    /** A write that is not sent again waits for a newer version alone. */
    private void wait(State next, Outcome.Kind answer, int failed, Instant now) {
        state = next;
        until = policy.after(answer, failed).map(now::plus).orElse(Instant.MAX);
    }
}
