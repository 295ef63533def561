package dev.berth.core.persistent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.testing.RandomHistories;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TrieMapTest {
    private final Random random = new Random(0);

    /** A key whose hash says little, so that many keys share one. */
    private record CollidingKey(int value) {
        @Override
        public int hashCode() {
            return value % 7 == 0 ? 0x20002 : value % 13;
        }
    }

    @RandomHistories(count = 1, fresh = true)
    void everyChangeEqualsThatOfAHashMap(long seed) {
        random.setSeed(seed);
        Map<CollidingKey, Integer> expected = new HashMap<>();
        TrieMap<CollidingKey, Integer> map = TrieMap.empty();
        for (int i = 0; i < 5_000; i++) {
            CollidingKey key = new CollidingKey(random.nextInt(200));
            if (random.nextInt(3) == 0) {
                expected.remove(key);
                map = map.without(key);
            } else {
                expected.put(key, i);
                map = map.with(key, i);
            }
            assertThat(map.get(key)).as("seed %d", seed).isEqualTo(expected.get(key));
            assertThat(map.size()).as("seed %d", seed).isEqualTo(expected.size());
            List<Integer> values = new ArrayList<>();
            map.forEach((any, value) -> values.add(value));
            assertThat(map.firstValue()).as("seed %d", seed).isEqualTo(values.isEmpty() ? null : values.get(0));
        }
        assertThat(content(map)).as("seed %d", seed).isEqualTo(expected);
    }

    @RandomHistories(count = 1, fresh = true)
    void anOlderMapDoesNotChange(long seed) {
        random.setSeed(seed);
        List<TrieMap<CollidingKey, Integer>> versions = new ArrayList<>();
        List<Map<CollidingKey, Integer>> contents = new ArrayList<>();
        TrieMap<CollidingKey, Integer> map = TrieMap.empty();
        for (int i = 0; i < 300; i++) {
            CollidingKey key = new CollidingKey(random.nextInt(60));
            map = random.nextBoolean() ? map.with(key, i) : map.without(key);
            versions.add(map);
            contents.add(content(map));
        }
        for (int i = 0; i < versions.size(); i++) {
            assertThat(content(versions.get(i))).as("seed %d", seed).isEqualTo(contents.get(i));
        }
    }

    @RandomHistories(count = 1, fresh = true)
    void theIterationOrderDependsOnTheKeysAndNotOnTheInsertionOrder(long seed) {
        random.setSeed(seed);
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            keys.add("key-" + i);
        }
        TrieMap<String, Integer> once = filled(keys);
        Collections.shuffle(keys, random);
        TrieMap<String, Integer> again = filled(keys);
        for (int i = 0; i < 1_000; i++) {
            again = again.with("more-" + i, 0);
        }
        for (int i = 0; i < 1_000; i++) {
            again = again.without("more-" + i);
        }
        assertThat(walk(again)).as("seed %d", seed).isEqualTo(walk(once));
    }

    @Test
    void removingAnAbsentKeyAndPuttingAPresentPairChangeNothing() {
        TrieMap<String, String> map = TrieMap.<String, String>empty().with("a", "1");

        assertThat(map.without("b")).isSameAs(map);
        assertThat(map.without("a").isEmpty()).isTrue();
        assertThat(map.with("a", "2").get("a")).isEqualTo("2");
        assertThat(map.has("a")).isTrue();
        assertThat(map.has("b")).isFalse();
    }

    private static TrieMap<String, Integer> filled(List<String> keys) {
        TrieMap<String, Integer> map = TrieMap.empty();
        for (String key : keys) {
            map = map.with(key, 1);
        }
        return map;
    }

    private static List<String> walk(TrieMap<String, Integer> map) {
        List<String> keys = new ArrayList<>();
        map.forEach((key, value) -> keys.add(key));
        return keys;
    }

    private static Map<CollidingKey, Integer> content(TrieMap<CollidingKey, Integer> map) {
        Map<CollidingKey, Integer> content = new HashMap<>();
        map.forEach(content::put);
        assertThat(content).hasSize(map.size());
        return content;
    }

    @Test
    void aSearchEndsAtTheFirstEntryThatDoesNotMatch() {
        TrieMap<Integer, String> map = TrieMap.empty();
        for (int i = 0; i < 1_000; i++) {
            map = map.with(i, "v" + i);
        }
        List<Integer> visited = new ArrayList<>();
        assertThat(map.allMatch((key, value) -> visited.add(key) && visited.size() < 10))
                .isFalse();
        assertThat(visited).hasSize(10);
        assertThat(map.allMatch((key, value) -> value.equals("v" + key))).isTrue();
    }
}
