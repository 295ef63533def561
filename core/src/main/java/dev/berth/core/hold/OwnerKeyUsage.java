package dev.berth.core.hold;

import dev.berth.core.cluster.Labels;
import dev.berth.core.hold.OwnerKey.KeyKind;
import dev.berth.core.persistent.TrieMap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * How many rules are indexed under keys of each kind, and under labels with each key. A pod has many keys and needs to
 * look up only those that a rule uses: usually one label. Immutable.
 */
final class OwnerKeyUsage {
    /** A cluster with Reservations for the pods of some applications has one or two. */
    private static final int FEW_LABELS = 4;

    static final OwnerKeyUsage NONE = new OwnerKeyUsage(new EnumMap<>(KeyKind.class), TrieMap.empty());

    private final EnumMap<KeyKind, Integer> kinds;
    private final TrieMap<String, Integer> labels;
    private final boolean hasIdentityKinds;
    /** The keys of the labels, if they are few. */
    private final List<String> fewLabels;

    private OwnerKeyUsage(EnumMap<KeyKind, Integer> kinds, TrieMap<String, Integer> labels) {
        this.kinds = kinds;
        this.labels = labels;
        this.hasIdentityKinds = kinds.keySet().stream().anyMatch(kind -> kind.isIdentity());
        this.fewLabels = new ArrayList<>();
        if (labels.size() <= FEW_LABELS) {
            labels.forEach((label, count) -> fewLabels.add(label));
        }
    }

    /** Visits the labels of the pod that some rule is indexed under. */
    void forEachUsedLabel(Labels labelsOfPod, BiConsumer<String, String> visitor) {
        if (labels.size() > FEW_LABELS) {
            labelsOfPod.forEach((key, value) -> {
                if (hasLabel(key)) {
                    visitor.accept(key, value);
                }
            });
            return;
        }
        for (int i = 0; i < fewLabels.size(); i++) {
            String key = fewLabels.get(i);
            labelsOfPod.get(key).ifPresent(value -> visitor.accept(key, value));
        }
    }

    /** Whether a rule is indexed under a property that pods of one template do not share. */
    boolean hasIdentityKinds() {
        return hasIdentityKinds;
    }

    boolean has(KeyKind kind) {
        return kinds.containsKey(kind);
    }

    /** Whether a rule is indexed under some value of this label. */
    private boolean hasLabel(String key) {
        return labels.has(key);
    }

    OwnerKeyUsage with(Collection<OwnerKey> keys) {
        return changed(keys, 1);
    }

    OwnerKeyUsage without(Collection<OwnerKey> keys) {
        return changed(keys, -1);
    }

    private OwnerKeyUsage changed(Collection<OwnerKey> keys, int delta) {
        EnumMap<KeyKind, Integer> nextKinds = kinds.clone();
        TrieMap<String, Integer> nextLabels = labels;
        for (OwnerKey key : keys) {
            nextKinds.compute(key.kind(), (kind, count) -> add(count, delta));
            if (key.kind() == KeyKind.LABEL) {
                @Nullable Integer count = add(nextLabels.get(key.key()), delta);
                nextLabels = count == null ? nextLabels.without(key.key()) : nextLabels.with(key.key(), count);
            }
        }
        return new OwnerKeyUsage(nextKinds, nextLabels);
    }

    /** Null for none. */
    private static @Nullable Integer add(@Nullable Integer count, int delta) {
        int sum = (count == null ? 0 : count) + delta;
        return sum == 0 ? null : sum;
    }
}
