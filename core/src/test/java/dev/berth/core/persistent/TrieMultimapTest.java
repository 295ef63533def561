package dev.berth.core.persistent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.testing.RandomHistories;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

class TrieMultimapTest {
    @RandomHistories(count = 3)
    void itEqualsAMapOfSortedSetsAndEarlierVersionsDoNotChange(long seed) {
        Random random = new Random(seed);
        TrieMultimap<String, Integer> map = TrieMultimap.empty();
        TreeMap<String, Set<Integer>> expected = new TreeMap<>();
        for (int step = 0; step < 500; step++) {
            String key = "k" + random.nextInt(10);
            int value = random.nextInt(5);
            TrieMultimap<String, Integer> before = map;
            Set<Integer> valuesBefore = before.get(key);
            Set<Integer> values = expected.computeIfAbsent(key, same -> new TreeSet<>());
            if (random.nextBoolean()) {
                map = map.with(key, value);
                values.add(value);
            } else {
                map = map.without(key, value);
                values.remove(value);
            }
            assertThat(map.get(key)).as("seed %d, step %d", seed, step).containsExactlyElementsOf(values);
            assertThat(before.get(key))
                    .as("seed %d, step %d, before", seed, step)
                    .isEqualTo(valuesBefore);
        }
    }
}
