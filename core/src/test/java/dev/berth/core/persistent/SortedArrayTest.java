package dev.berth.core.persistent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

class SortedArrayTest {
    private final long seed =
            Long.getLong("berth.seed", ThreadLocalRandom.current().nextLong());

    @Test
    void everyChangeGivesWhatATreeMapWouldHave() {
        Random random = new Random(seed);
        TreeMap<Character, String> expected = new TreeMap<>();
        SortedArray<Character, String> array = SortedArray.by(word -> word.charAt(0));
        for (int i = 0; i < 2_000; i++) {
            char key = (char) ('a' + random.nextInt(20));
            if (random.nextBoolean()) {
                expected.put(key, key + "" + i);
                array = array.with(key + "" + i);
            } else {
                expected.remove(key);
                array = array.without(key);
            }
            assertThat(array.asList()).as("seed %d", seed).containsExactlyElementsOf(expected.values());
            assertThat(array.get(key).orElse("none")).as("seed %d", seed).isEqualTo(expected.getOrDefault(key, "none"));
        }
    }

    @Test
    void aListOnceGivenOutStaysAsItWas() {
        SortedArray<Character, String> array =
                SortedArray.<Character, String>by(word -> word.charAt(0)).with("b1");
        List<String> before = array.asList();

        assertThat(array.with("a1").with("b2").asList()).containsExactly("a1", "b2");
        assertThat(before).containsExactly("b1");
    }
}
