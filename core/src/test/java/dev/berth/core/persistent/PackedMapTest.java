package dev.berth.core.persistent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.testing.RandomHistories;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PackedMapTest {

    /** Every fourth key has the same hash. */
    private record Key(int number) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            return Integer.compare(number, other.number);
        }

        @Override
        public int hashCode() {
            return number % 4 - 2;
        }
    }

    private record Element(Key key, int version) {}

    @RandomHistories(count = 1, fresh = true)
    void everyChangeEqualsThatOfATreeMap(long seed) {
        Random random = new Random(seed);
        TreeMap<Key, Element> expected =
                new TreeMap<>(Comparator.comparing(Key::hashCode).thenComparing(Comparator.naturalOrder()));
        PackedMap<Key, Element> map = PackedMap.keyedBy(Element::key);
        for (int i = 0; i < 2_000; i++) {
            Key key = new Key(random.nextInt(20));
            if (random.nextBoolean()) {
                Element element = new Element(key, i);
                expected.put(key, element);
                map = map.with(element);
            } else {
                expected.remove(key);
                map = map.without(key);
            }
            assertThat(map.asList()).as("seed %d", seed).containsExactlyElementsOf(expected.values());
            assertThat(map.get(key).orElse(null)).as("seed %d", seed).isEqualTo(expected.get(key));
        }
    }

    @Test
    void aReturnedListDoesNotChange() {
        PackedMap<Character, String> map =
                PackedMap.<Character, String>keyedBy(word -> word.charAt(0)).with("b1");
        List<String> before = map.asList();

        assertThat(map.with("a1").with("b2").asList()).containsExactly("a1", "b2");
        assertThat(before).containsExactly("b1");
    }
}
