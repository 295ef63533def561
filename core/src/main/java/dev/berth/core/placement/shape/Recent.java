package dev.berth.core.placement.shape;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The entries that were used last, as many as their number and the bytes that they retain allow; the newest always. */
public final class Recent<K, V> {
    private final int most;
    private final long mostBytes;
    private final Map<K, Weighed<V>> entries = new LinkedHashMap<>(16, 0.75f, true);
    private long bytes;

    private record Weighed<V>(V value, long bytes) {}

    public Recent(int most, long mostBytes) {
        this.most = most;
        this.mostBytes = mostBytes;
    }

    public Optional<V> find(K key) {
        return Optional.ofNullable(entries.get(key)).map(Weighed::value);
    }

    /**
     * Adds an entry, and forgets those that were not used for longest if it is too many.
     *
     * @param retained about how many bytes key and value keep from being collected
     * @return what was there before
     */
    public Optional<V> put(K key, V value, long retained) {
        Optional<V> before = remove(key);
        entries.put(key, new Weighed<>(value, retained));
        bytes += retained;
        Iterator<Weighed<V>> eldest = entries.values().iterator();
        while (entries.size() > 1 && (entries.size() > most || bytes > mostBytes)) {
            bytes -= eldest.next().bytes;
            eldest.remove();
        }
        return before;
    }

    public Optional<V> remove(K key) {
        @Nullable Weighed<V> removed = entries.remove(key);
        bytes -= removed == null ? 0 : removed.bytes;
        return Optional.ofNullable(removed).map(Weighed::value);
    }

    public void clear() {
        entries.clear();
        bytes = 0;
    }
}
