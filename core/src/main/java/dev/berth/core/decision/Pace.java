package dev.berth.core.decision;

/**
 * How long a piece of work may go on. Whoever has the clock says so; who works asks after each object, so that at least
 * one is done, and leaves the rest for the next turn.
 */
@FunctionalInterface
public interface Pace {
    /** For tests and other callers that have all the time that it takes. */
    Pace UNBOUNDED = () -> false;

    boolean timeIsUp();
}
