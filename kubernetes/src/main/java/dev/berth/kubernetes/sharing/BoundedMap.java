package dev.berth.kubernetes.sharing;

import java.util.LinkedHashMap;
import java.util.Map;

/** Remembers what was used last, and no more than it may. */
public final class BoundedMap<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1;

    private final int most;

    public BoundedMap(int most) {
        super(16, 0.75f, true);
        this.most = most;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > most;
    }
}
