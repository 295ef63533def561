package dev.berth.core.scheduling;

/**
 * Limits how long a piece of work may take. The owner of the clock implements it. The work checks it after each object,
 * so that at least one object is processed, and leaves the rest for the next turn.
 */
@FunctionalInterface
public interface TimeBudget {
    /** For tests and other callers without a time limit. */
    TimeBudget UNBOUNDED = () -> false;

    boolean isExhausted();
}
