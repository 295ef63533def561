package dev.berth.core.placement.shape;

import java.util.Optional;

/**
 * The nodes in the order in which pods of one class like them, kept from pod to pod: each time only what changed in the
 * meantime is looked at again.
 */
sealed interface Ranking permits PlainRanking, SpreadRanking {
    /** Brings everything up to date with the nodes as they are. */
    void repair();

    /** The best node, of equals the one with the smallest lot. */
    Optional<Choice> best();

    /** About how much memory it takes. */
    long bytes();
}
