package dev.berth.core.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * Counts the operations of random histories that had an effect. An operation that never has one, because its object never
 * exists or its call always fails, tests nothing.
 *
 * @param <E> the operations that are drawn
 */
public final class OperationCounts<E extends Enum<E>> {
    private final Class<E> operations;
    private final Map<E, Integer> counts;

    public OperationCounts(Class<E> operations) {
        this.operations = operations;
        this.counts = new EnumMap<>(operations);
    }

    public void count(E operation) {
        counts.merge(operation, 1, Integer::sum);
    }

    /** Checks that each operation had an effect in some history of this run, unless the run replays one history. */
    public void assertEachHappened() {
        RandomSeeds.checkOverAll(() -> {
            Set<E> missing = EnumSet.allOf(operations);
            missing.removeAll(counts.keySet());
            assertThat(missing)
                    .as("operations without an effect in any history, of %s", counts)
                    .isEmpty();
        });
    }
}
