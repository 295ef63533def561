package dev.berth.core.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Makes a failing history short enough to be read. */
public final class FailureShrinker {
    private FailureShrinker() {}

    /** Removes everything that the failure does not need, in ever smaller pieces. */
    public static List<Integer> shrink(List<Integer> steps, Predicate<List<Integer>> fails) {
        List<Integer> kept = new ArrayList<>(steps);
        for (int piece = kept.size() / 2; piece > 0; piece /= 2) {
            for (int from = 0; from + piece <= kept.size(); ) {
                List<Integer> rest = new ArrayList<>(kept);
                rest.subList(from, from + piece).clear();
                if (fails.test(rest)) {
                    kept = rest;
                } else {
                    from += piece;
                }
            }
        }
        return kept;
    }
}
