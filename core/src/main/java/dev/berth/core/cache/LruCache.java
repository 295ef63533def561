package dev.berth.core.cache;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.ToLongBiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The most recently used entries, as many as the maximum number of entries and the maximum of retained bytes allow. The
 * newest entry stays even if it alone retains more.
 */
public final class LruCache<K, V> {
    private final int maxEntries;
    private final long maxBytes;
    private final BiConsumer<K, V> onEvicted;
    private final Map<K, SizedValue<V>> entries = new LinkedHashMap<>(16, 0.75f, true);
    private long bytes;

    private record SizedValue<V>(V value, long bytes) {}

    /** A cache of values that retain almost nothing that other objects do not retain already. */
    public LruCache(int maxEntries) {
        this(maxEntries, Long.MAX_VALUE);
    }

    public LruCache(int maxEntries, long maxBytes) {
        this(maxEntries, maxBytes, (key, value) -> {});
    }

    /** @param onEvicted called for each entry that is evicted for newer ones; not for removed, replaced or cleared entries */
    public LruCache(int maxEntries, long maxBytes, BiConsumer<K, V> onEvicted) {
        this.maxEntries = maxEntries;
        this.maxBytes = maxBytes;
        this.onEvicted = onEvicted;
    }

    /** The value, or null if there is none: for code that must not allocate. */
    public @Nullable V get(K key) {
        @Nullable SizedValue<V> existing = entries.get(key);
        return existing == null ? null : existing.value;
    }

    public Optional<V> find(K key) {
        return Optional.ofNullable(get(key));
    }

    /**
     * The value of the key, created and added if there is none.
     *
     * @param retained about how many bytes key and value keep from being collected
     */
    public V computeIfAbsent(K key, long retained, Function<K, V> create) {
        @Nullable V existing = get(key);
        if (existing != null) {
            return existing;
        }
        V created = create.apply(key);
        put(key, created, retained);
        return created;
    }

    /**
     * Adds an entry, and evicts the least recently used entries beyond the bounds.
     *
     * @param retained about how many bytes key and value keep from being collected
     * @return the value before
     */
    public Optional<V> put(K key, V value, long retained) {
        Optional<V> before = remove(key);
        entries.put(key, new SizedValue<>(value, retained));
        bytes += retained;
        Iterator<Map.Entry<K, SizedValue<V>>> eldest = entries.entrySet().iterator();
        while (entries.size() > 1 && (entries.size() > maxEntries || bytes > maxBytes)) {
            evict(eldest, eldest.next());
        }
        return before;
    }

    private void evict(Iterator<Map.Entry<K, SizedValue<V>>> eldest, Map.Entry<K, SizedValue<V>> entry) {
        bytes -= entry.getValue().bytes;
        eldest.remove();
        onEvicted.accept(entry.getKey(), entry.getValue().value);
    }

    /**
     * Evicts the least recently used entries until the rest weigh no more than this in total. One entry stays. For
     * values whose weight changes after {@link #put}.
     */
    public void evictBeyond(long maxWeight, ToLongBiFunction<K, V> weigher) {
        long weight = 0;
        for (Map.Entry<K, SizedValue<V>> entry : entries.entrySet()) {
            weight += weigher.applyAsLong(entry.getKey(), entry.getValue().value);
        }
        Iterator<Map.Entry<K, SizedValue<V>>> eldest = entries.entrySet().iterator();
        while (weight > maxWeight && entries.size() > 1) {
            Map.Entry<K, SizedValue<V>> entry = eldest.next();
            weight -= weigher.applyAsLong(entry.getKey(), entry.getValue().value);
            evict(eldest, entry);
        }
    }

    public Optional<V> remove(K key) {
        @Nullable SizedValue<V> removed = entries.remove(key);
        bytes -= removed == null ? 0 : removed.bytes;
        return Optional.ofNullable(removed).map(SizedValue::value);
    }

    public void clear() {
        entries.clear();
        bytes = 0;
    }
}
