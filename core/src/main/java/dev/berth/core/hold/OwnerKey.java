package dev.berth.core.hold;

import dev.berth.core.cluster.ControllerRef;
import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.Requirement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A property that a pod must have to match an owner rule: its UID, its name, its controller, one of its labels or its
 * return key. Holds are indexed by such keys, so a pod finds its candidates by looking up its own properties.
 */
record OwnerKey(KeyKind kind, String key, String value) {
    enum KeyKind {
        UID,
        NAMESPACE_AND_NAME,
        NAME,
        CONTROLLER_UID,
        CONTROLLER_NAME,
        LABEL,
        RETURN,
        /** Rules without any of the other keys: they are compared with every pod. */
        UNINDEXED;

        /** Whether pods of one template do not share such keys. */
        boolean isIdentity() {
            return this != LABEL && this != UNINDEXED;
        }
    }

    static final OwnerKey UNINDEXED = new OwnerKey(KeyKind.UNINDEXED, "", "");

    /**
     * Alternative lists of index keys for a rule: a rule is indexed under all keys of any one of these lists. A pod
     * that matches the rule has at least one key of each list. Never empty.
     */
    static List<List<OwnerKey>> alternativeKeys(Owner owner) {
        List<List<OwnerKey>> alternatives = new ArrayList<>();
        owner.pod().ifPresent(match -> {
            match.uid().ifPresent(uid -> alternatives.add(singleKey(KeyKind.UID, uid)));
            match.name()
                    .ifPresent(name -> alternatives.add(match.namespace()
                            .map(namespace -> List.of(new OwnerKey(KeyKind.NAMESPACE_AND_NAME, namespace, name)))
                            .orElseGet(() -> singleKey(KeyKind.NAME, name))));
        });
        owner.controller().ifPresent(match -> {
            match.uid().ifPresent(uid -> alternatives.add(singleKey(KeyKind.CONTROLLER_UID, uid)));
            match.name().ifPresent(name -> alternatives.add(singleKey(KeyKind.CONTROLLER_NAME, name)));
        });
        owner.labels().ifPresent(selector -> addLabels(selector, alternatives));
        owner.returnKey().ifPresent(key -> alternatives.add(List.of(of(key))));
        return alternatives.isEmpty() ? List.of(List.of(UNINDEXED)) : alternatives;
    }

    /** The keys of the pod that some rule uses, including {@link #UNINDEXED}. */
    static List<OwnerKey> of(Pod pod, OwnerKeyUsage usage) {
        List<OwnerKey> keys = usage.hasIdentityKinds() ? identityKeys(pod, usage::has) : new ArrayList<>(2);
        usage.forEachUsedLabel(pod.labels(), (key, value) -> keys.add(new OwnerKey(KeyKind.LABEL, key, value)));
        if (usage.has(KeyKind.UNINDEXED)) {
            keys.add(UNINDEXED);
        }
        return keys;
    }

    /** The keys of these kinds that pods of one template do not share. */
    static List<OwnerKey> identityKeys(Pod pod, Predicate<KeyKind> kinds) {
        List<OwnerKey> keys = new ArrayList<>(6);
        if (kinds.test(KeyKind.UID)) {
            keys.add(new OwnerKey(KeyKind.UID, "", pod.uid().value()));
        }
        if (kinds.test(KeyKind.NAMESPACE_AND_NAME)) {
            keys.add(new OwnerKey(KeyKind.NAMESPACE_AND_NAME, pod.namespace(), pod.name()));
        }
        if (kinds.test(KeyKind.NAME)) {
            keys.add(new OwnerKey(KeyKind.NAME, "", pod.name()));
        }
        if (kinds.test(KeyKind.CONTROLLER_UID)) {
            forEachOwner(pod, owner -> keys.add(new OwnerKey(KeyKind.CONTROLLER_UID, "", owner.uid())));
        }
        if (kinds.test(KeyKind.CONTROLLER_NAME)) {
            forEachOwner(pod, owner -> keys.add(new OwnerKey(KeyKind.CONTROLLER_NAME, "", owner.name())));
        }
        if (kinds.test(KeyKind.RETURN)) {
            ReturnKey.of(pod).ifPresent(key -> keys.add(of(key)));
        }
        return keys;
    }

    private static void forEachOwner(Pod pod, Consumer<ControllerRef> action) {
        pod.controller().ifPresent(action);
        pod.otherOwners().forEach(action);
    }

    private static OwnerKey of(ReturnKey key) {
        return new OwnerKey(KeyKind.RETURN, key.namespace(), key.key());
    }

    private static void addLabels(LabelSelector selector, List<List<OwnerKey>> alternatives) {
        selector.matchLabels()
                .forEach((key, value) -> alternatives.add(List.of(new OwnerKey(KeyKind.LABEL, key, value))));
        for (Requirement requirement : selector.matchExpressions()) {
            if (requirement.operator() == Requirement.Operator.IN) {
                alternatives.add(requirement.values().stream()
                        .distinct()
                        .map(value -> new OwnerKey(KeyKind.LABEL, requirement.key(), value))
                        .toList());
            }
        }
    }

    private static List<OwnerKey> singleKey(KeyKind kind, String value) {
        return List.of(new OwnerKey(kind, "", value));
    }
}
