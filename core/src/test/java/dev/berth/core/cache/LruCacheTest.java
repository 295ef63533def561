package dev.berth.core.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LruCacheTest {
    private final List<String> evicted = new ArrayList<>();
    private final LruCache<String, Integer> cache =
            new LruCache<>(3, 100, (key, value) -> evicted.add(key + "=" + value));

    @Test
    void theLeastRecentlyUsedEntryIsEvictedFirst() {
        cache.put("a", 1, 1);
        cache.put("b", 2, 1);
        cache.put("c", 3, 1);
        assertThat(cache.find("a")).hasValue(1);

        cache.put("d", 4, 1);

        assertThat(evicted).containsExactly("b=2");
        assertThat(cache.find("b")).isEmpty();
        assertThat(cache.get("a")).isEqualTo(1);
    }

    @Test
    void entriesAreEvictedUntilTheRestRetainsFewEnoughBytes() {
        cache.put("a", 1, 40);
        cache.put("b", 2, 40);
        cache.put("c", 3, 90);

        assertThat(evicted).containsExactly("a=1", "b=2");
    }

    @Test
    void theNewestEntryStaysEvenIfItRetainsTooMuch() {
        cache.put("a", 1, 1);
        cache.put("huge", 2, 1_000);

        assertThat(evicted).containsExactly("a=1");
        assertThat(cache.find("huge")).hasValue(2);
    }

    @Test
    void replacedRemovedAndClearedEntriesAreNotReportedAsEvicted() {
        cache.put("a", 1, 60);
        assertThat(cache.put("a", 2, 60)).hasValue(1);
        assertThat(cache.remove("a")).hasValue(2);
        cache.put("b", 3, 60);
        cache.clear();
        cache.put("c", 4, 60);

        assertThat(evicted).isEmpty();
        assertThat(cache.find("b")).isEmpty();
    }

    @Test
    void aMissingValueIsCreatedOnce() {
        assertThat(cache.computeIfAbsent("a", 1, key -> 1)).isEqualTo(1);
        assertThat(cache.computeIfAbsent("a", 1, key -> 2)).isEqualTo(1);
    }

    @Test
    void entriesThatGrewAreEvictedByTheirWeightNow() {
        cache.put("a", 5, 1);
        cache.put("b", 6, 1);
        cache.put("c", 7, 1);

        cache.evictBeyond(13, (key, value) -> value);
        assertThat(evicted).containsExactly("a=5");

        cache.evictBeyond(1, (key, value) -> value);
        assertThat(evicted).containsExactly("a=5", "b=6");
        assertThat(cache.find("c")).hasValue(7);
    }
}
