package dev.berth.core.scheduling;

import dev.berth.core.cluster.PodUid;
import java.util.Optional;

/**
 * Counts the turns that the decision on one pod takes. Where nodes change as fast as a turn looks at them, a decision in
 * pieces would never end, and the pods behind it would wait: after so many pieces it is made in one.
 */
final class AttemptTurnLimit {
    private static final int MAX_TURNS = 200;

    private Optional<PodUid> pod = Optional.empty();
    private int turns;

    /** How long the next piece of the decision on the pod may go on. */
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
