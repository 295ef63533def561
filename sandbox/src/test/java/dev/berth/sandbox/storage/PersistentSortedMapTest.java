package dev.berth.sandbox.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.testing.RandomHistories;
import dev.berth.sandbox.storage.PersistentSortedMap.Range;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PersistentSortedMapTest {

    @RandomHistories(count = 1, fresh = true)
    void randomHistoriesEqualAPlainSortedMapAndOldVersionsStay(long seed) {
        Random random = new Random(seed);
        TreeMap<String, Integer> plain = new TreeMap<>();
        PersistentSortedMap<Integer> tree = PersistentSortedMap.empty();
        List<PersistentSortedMap<Integer>> versions = new ArrayList<>();
        List<TreeMap<String, Integer>> copies = new ArrayList<>();
        for (int step = 0; step < 3_000; step++) {
            String key = "k" + random.nextInt(400);
            if (random.nextInt(3) == 0) {
                tree = tree.without(key);
                plain.remove(key);
            } else {
                tree = tree.with(key, step);
                plain.put(key, step);
            }
            if (step % 100 == 0) {
                versions.add(tree);
                copies.add(new TreeMap<>(plain));
            }
            assertThat(tree.size()).as("step %d", step).isEqualTo(plain.size());
        }
        for (int i = 0; i < versions.size(); i++) {
            assertThat(values(versions.get(i), Range.ALL))
                    .as("version %d", i)
                    .containsExactlyElementsOf(copies.get(i).values());
        }
        Range part = new Range("k1", "k3");
        assertThat(values(tree, part))
                .containsExactlyElementsOf(plain.subMap("k1", "k3").values());
        assertThat(tree.count(part)).isEqualTo(plain.subMap("k1", "k3").size());
    }

    @Test
    void aNamespaceIsARangeOfItsOwn() {
        PersistentSortedMap<String> tree = PersistentSortedMap.empty();
        for (String path : List.of("a/x", "a-b/x", "a/y", "ab/x", "b/x")) {
            tree = tree.with(path, path);
        }
        assertThat(values(tree, Range.ofNamespace("a"))).containsExactly("a/x", "a/y");
        assertThat(values(tree, Range.ALL)).containsExactly("a-b/x", "a/x", "a/y", "ab/x", "b/x");
    }

    @Test
    void aVisitorCanStop() {
        PersistentSortedMap<String> tree = PersistentSortedMap.<String>empty()
                .with("a", "a")
                .with("b", "b")
                .with("c", "c");
        List<String> seen = new ArrayList<>();
        tree.visit(Range.ALL, value -> {
            seen.add(value);
            return seen.size() < 2;
        });
        assertThat(seen).containsExactly("a", "b");
    }

    private static <V> List<V> values(PersistentSortedMap<V> tree, Range range) {
        List<V> all = new ArrayList<>();
        tree.visit(range, all::add);
        return all;
    }
}
