package dev.berth.core.scheduling;

/**
 * How long a piece of work may go on. Whoever has the clock says so; who works asks after each object, so that at least
 * one is done, and leaves the rest for the next turn.
 */
@FunctionalInterface
public interface TimeBudget {
    /** For tests and other callers that have all the time that it takes. */
    TimeBudget UNBOUNDED = () -> false;

    boolean isExhausted();
}
