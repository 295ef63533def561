package dev.berth.core.decision;

import dev.berth.core.cluster.PodUid;
import java.util.Optional;

/**
 * Counts the turns that the decision on one pod takes. Where nodes change as fast as a turn looks at them, a decision in
 * pieces would never end, and the pods behind it would wait: after so many pieces it is made in one.
 */
final class DecisionPieces {
    private static final int MOST = 200;

    private Optional<PodUid> pod = Optional.empty();
    private int pieces;

    /** How long the next piece of the decision on the pod may go on. */
    Pace next(PodUid decided, Pace pace) {
        if (pod.filter(decided::equals).isEmpty()) {
            pod = Optional.of(decided);
            pieces = 0;
        }
        pieces++;
        return pieces > MOST ? Pace.UNBOUNDED : pace;
    }

    void finished() {
        pod = Optional.empty();
    }
}
