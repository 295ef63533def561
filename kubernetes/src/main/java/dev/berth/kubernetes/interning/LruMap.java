package dev.berth.kubernetes.interning;

import java.util.LinkedHashMap;
import java.util.Map;

/** Remembers what was used last, and no more than it may. */
public final class LruMap<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1;

    private final int maxEntries;

    public LruMap(int maxEntries) {
        super(16, 0.75f, true);
        this.maxEntries = maxEntries;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > maxEntries;
    }
}
