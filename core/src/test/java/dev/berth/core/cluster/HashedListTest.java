package dev.berth.core.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Lookups in a long list do not compare all of its elements. */
class HashedListTest {
    private static final int MANY = 50_000;

    /** Counts how often it is compared and hashed. */
    private record Counted(int number, AtomicInteger comparisons) {
        @Override
        public boolean equals(Object other) {
            comparisons.incrementAndGet();
            return other instanceof Counted counted && counted.number == number;
        }

        @Override
        public int hashCode() {
            comparisons.incrementAndGet();
            return Integer.hashCode(number);
        }
    }

    @Test
    void elementsOfALongListAreFoundWithFewComparisons() {
        AtomicInteger comparisons = new AtomicInteger();
        List<Counted> list = HashedList.copyOf(IntStream.range(0, MANY)
                .mapToObj(number -> new Counted(number, comparisons))
                .toList());
        comparisons.set(0);

        assertThat(list.contains(new Counted(MANY - 1, comparisons))).isTrue();
        assertThat(list.contains(new Counted(MANY, comparisons))).isFalse();
        assertThat(comparisons.get()).isLessThan(10);
    }

    @Test
    void aLongListIsHashedOnce() {
        AtomicInteger comparisons = new AtomicInteger();
        List<Counted> list = HashedList.copyOf(IntStream.range(0, MANY)
                .mapToObj(number -> new Counted(number, comparisons))
                .toList());
        comparisons.set(0);

        assertThat(new HashSet<>(List.of(list))).contains(list);
        assertThat(comparisons.get()).isZero();
    }

    @Test
    void theOrderStaysAndTheListEqualsOneOfTheSameElements() {
        List<String> values =
                IntStream.range(0, 100).mapToObj(i -> "v" + (97 * i) % 100).toList();

        assertThat(HashedList.copyOf(values)).containsExactlyElementsOf(values);
        assertThat(HashedList.copyOf(values)).isEqualTo(values).hasSameHashCodeAs(values);
        assertThat(values).isEqualTo(HashedList.copyOf(values));
    }

    @Test
    void aRequirementWithManyValuesUsesAHashedList() {
        List<String> values = IntStream.range(0, MANY).mapToObj(i -> "v" + i).toList();

        assertThat(new Requirement("app", Requirement.Operator.IN, values).values())
                .isInstanceOf(HashedList.class);
    }
}
