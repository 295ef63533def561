package dev.berth.core.scheduling;

import dev.berth.core.cluster.PodUid;
import java.util.Optional;

/**
 * Counts the turns of the decision on one pod. If nodes change as fast as a turn evaluates them, a decision in several
 * turns would never end, and the pods behind it would wait. So after a number of turns the decision is completed in one
 * turn.
 */
final class AttemptTurnLimit {
    private static final int MAX_TURNS = 200;

    private Optional<PodUid> pod = Optional.empty();
    private int turns;

    /** The time budget of this turn for the decision on the pod. */
    TimeBudget budgetFor(PodUid decided, TimeBudget timeBudget) {
        if (pod.filter(decided::equals).isEmpty()) {
            pod = Optional.of(decided);
            turns = 0;
        }
        turns++;
        return turns > MAX_TURNS ? TimeBudget.UNBOUNDED : timeBudget;
    }

    void finished() {
        pod = Optional.empty();
    }
}
