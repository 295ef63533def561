package dev.berth.kubernetes.interning;

import dev.berth.core.cluster.Labels;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Collects keys and values and returns interned labels: pods of one template share them. */
public final class LabelsInterner {
    private static final int SLOTS = 1 << 13;

    private static final class InternedLabels {
        private final String[] pairs;
        private final Labels labels;

        private InternedLabels(String[] pairs, Labels labels) {
            this.pairs = pairs;
            this.labels = labels;
        }
    }

    private final @Nullable InternedLabels[] slots = new InternedLabels[SLOTS];
    private String[] pairs = new String[32];
    private int count;

    public void begin() {
        count = 0;
    }

    public void add(String key, String value) {
        if (count == pairs.length) {
            pairs = Arrays.copyOf(pairs, 2 * count);
        }
        pairs[count++] = key;
        pairs[count++] = value;
    }

    public Labels intern() {
        if (count == 0) {
            return Labels.NONE;
        }
        int hash = 1;
        for (int i = 0; i < count; i++) {
            hash = 31 * hash + pairs[i].hashCode();
        }
        int slot = ((hash * 0x9e3779b9) >>> 7) & (SLOTS - 1);
        InternedLabels internedLabels = slots[slot];
        if (internedLabels != null
                && Arrays.equals(internedLabels.pairs, 0, internedLabels.pairs.length, pairs, 0, count)) {
            return internedLabels.labels;
        }
        Labels labels = toLabels();
        slots[slot] = new InternedLabels(Arrays.copyOf(pairs, count), labels);
        return labels;
    }

    private Labels toLabels() {
        Map<String, String> map = new HashMap<>();
        for (int i = 0; i < count; i += 2) {
            map.put(pairs[i], pairs[i + 1]);
        }
        return Labels.of(map);
    }
}
