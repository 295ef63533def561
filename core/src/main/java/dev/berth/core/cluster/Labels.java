package dev.berth.core.cluster;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/** The labels of an object, or the annotations that Berth reads, sorted by key and packed in one array. */
public final class Labels {
    public static final Labels NONE = new Labels(new String[0]);

    private static final int MAX_SCANNED_LENGTH = 64;

    private final String[] pairs;
    private final int hash;

    private Labels(String[] pairs) {
        this.pairs = pairs;
        this.hash = Arrays.hashCode(pairs);
    }

    public static Labels of(Map<String, String> map) {
        if (map.isEmpty()) {
            return NONE;
        }
        String[] pairs = new String[map.size() * 2];
        int i = 0;
        for (Map.Entry<String, String> entry : new TreeMap<>(map).entrySet()) {
            pairs[i++] = entry.getKey();
            pairs[i++] = entry.getValue();
        }
        return new Labels(pairs);
    }

    public static Labels of(String key, String value) {
        return new Labels(new String[] {key, value});
    }

    public Labels with(String key, String value) {
        Map<String, String> map = new TreeMap<>(toMap());
        map.put(key, value);
        return of(map);
    }

    public Optional<String> get(String key) {
        int at = find(key);
        return at < 0 ? Optional.empty() : Optional.of(pairs[at + 1]);
    }

    /** About how many bytes they keep from being collected. */
    public long retainedBytes() {
        long bytes = 0;
        for (String text : pairs) {
            bytes += RetainedBytes.of(text);
        }
        return bytes;
    }

    public boolean has(String key) {
        return find(key) >= 0;
    }

    /** Whether some key passes the test. */
    public boolean hasKey(Predicate<String> test) {
        for (int i = 0; i < pairs.length; i += 2) {
            if (test.test(pairs[i])) {
                return true;
            }
        }
        return false;
    }

    public boolean has(String key, String value) {
        int at = find(key);
        return at >= 0 && pairs[at + 1].equals(value);
    }

    /** Whether every pair of the other labels is among these. */
    public boolean containsAll(Labels other) {
        for (int i = 0; i < other.pairs.length; i += 2) {
            if (!has(other.pairs[i], other.pairs[i + 1])) {
                return false;
            }
        }
        return true;
    }

    public void forEach(BiConsumer<String, String> visitor) {
        for (int i = 0; i < pairs.length; i += 2) {
            visitor.accept(pairs[i], pairs[i + 1]);
        }
    }

    public Map<String, String> toMap() {
        Map<String, String> map = new LinkedHashMap<>();
        forEach(map::put);
        return map;
    }

    public int size() {
        return pairs.length / 2;
    }

    public boolean isEmpty() {
        return pairs.length == 0;
    }

    /** Most label maps are small, and there a scan is faster than a binary search. */
    private int find(String key) {
        if (pairs.length > MAX_SCANNED_LENGTH) {
            return binarySearch(key);
        }
        for (int i = 0; i < pairs.length; i += 2) {
            if (pairs[i].equals(key)) {
                return i;
            }
        }
        return -1;
    }

    private int binarySearch(String key) {
        int low = 0;
        int high = pairs.length / 2 - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = pairs[2 * middle].compareTo(key);
            if (order == 0) {
                return 2 * middle;
            }
            low = order < 0 ? middle + 1 : low;
            high = order < 0 ? high : middle - 1;
        }
        return -1;
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || (other instanceof Labels labels && labels.hash == hash && Arrays.equals(labels.pairs, pairs));
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return toMap().toString();
    }
}
