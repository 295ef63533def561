package dev.berth.core.hold;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.collection.SetMultimap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Pods with equal namespace, labels and spec, by the other properties that owner rules can name: UID, name, controller,
 * return key. Finds the pods that a rule may treat differently from the rest, without comparing each pod.
 */
public final class PodsByOwnerKey {
    private final SetMultimap<OwnerKey, PodUid> byKey = SetMultimap.unordered();
    private final Map<PodUid, List<OwnerKey>> keysOf = new HashMap<>();

    public void add(Pod pod) {
        remove(pod.uid());
        List<OwnerKey> keys = OwnerKey.identityKeys(pod, kind -> true);
        for (OwnerKey key : keys) {
            byKey.add(key, pod.uid());
        }
        keysOf.put(pod.uid(), keys);
    }

    public void remove(PodUid uid) {
        @Nullable List<OwnerKey> keys = keysOf.remove(uid);
        if (keys != null) {
            for (OwnerKey key : keys) {
                byKey.remove(key, uid);
            }
        }
    }

    /** One of the pods. */
    public Optional<PodUid> any() {
        return keysOf.keySet().stream().findFirst();
    }

    public int size() {
        return keysOf.size();
    }

    /**
     * The pods that the rule may admit because it names them. The rule admits either all other pods or none.
     *
     * @return empty if the rule may distinguish pods that it does not name
     */
    public Optional<Set<PodUid>> namedBy(OwnerRule rule) {
        Set<PodUid> named = new HashSet<>();
        for (Owner owner : rule.isClosed() ? List.<Owner>of() : rule.owners()) {
            Optional<List<OwnerKey>> podKeys = OwnerKey.alternativeKeys(owner).stream()
                    .filter(keys -> keys.stream().allMatch(PodsByOwnerKey::identifiesPods))
                    .findFirst();
            if (podKeys.isEmpty() && owner.controller().isPresent()) {
                return Optional.empty();
            }
            for (OwnerKey key : podKeys.orElse(List.of())) {
                named.addAll(byKey.get(key));
            }
        }
        return Optional.of(named);
    }

    private static boolean identifiesPods(OwnerKey key) {
        return key.kind() != OwnerKey.KeyKind.LABEL && key.kind() != OwnerKey.KeyKind.UNINDEXED;
    }
}
