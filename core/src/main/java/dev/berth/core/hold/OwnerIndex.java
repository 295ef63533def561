package dev.berth.core.hold;

import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;
import dev.berth.core.persistent.TrieMap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds the holds that a pod may use without reading all holds. Holds with equal rules share one entry, so the cost
 * depends on the number of rules, not of holds. Each owner of a rule is indexed under those of its keys that have the
 * fewest rules. So a label that all pods have does not make every rule a candidate. Immutable.
 */
public final class OwnerIndex {
    public static final OwnerIndex EMPTY =
            new OwnerIndex(TrieMap.empty(), OwnerKeyUsage.NONE, TrieMap.empty(), TrieMap.empty());

    private final TrieMap<OwnerKey, TrieMap<OwnerRule, OwnerRule>> rulesByKey;
    private final OwnerKeyUsage usage;
    private final TrieMap<OwnerRule, RuleEntry> entries;
    private final TrieMap<HoldId, OwnerRule> ruleByHold;

    /** The holds of one rule, and the keys under which the rule is indexed. */
    private record RuleEntry(Set<OwnerKey> keys, TrieMap<HoldId, Hold> holds) {}

    private OwnerIndex(
            TrieMap<OwnerKey, TrieMap<OwnerRule, OwnerRule>> rulesByKey,
            OwnerKeyUsage usage,
            TrieMap<OwnerRule, RuleEntry> ruleEntry,
            TrieMap<HoldId, OwnerRule> ruleByHold) {
        this.rulesByKey = rulesByKey;
        this.usage = usage;
        this.entries = ruleEntry;
        this.ruleByHold = ruleByHold;
    }

    /** The index with this hold, which replaces an older one with the same id. */
    public OwnerIndex with(Hold hold) {
        OwnerIndex rest = without(hold.id());
        OwnerRule rule = hold.ownerRule();
        @Nullable RuleEntry existing = rest.entries.get(rule);
        Set<OwnerKey> keys = existing == null ? rest.keysFor(rule) : existing.keys;
        TrieMap<HoldId, Hold> holds = existing == null ? TrieMap.empty() : existing.holds;
        return new OwnerIndex(
                existing == null ? rest.rulesByKeyWith(keys, rule) : rest.rulesByKey,
                existing == null ? rest.usage.with(keys) : rest.usage,
                rest.entries.with(rule, new RuleEntry(keys, holds.with(hold.id(), hold))),
                rest.ruleByHold.with(hold.id(), rule));
    }

    public OwnerIndex without(HoldId id) {
        @Nullable OwnerRule rule = ruleByHold.get(id);
        @Nullable RuleEntry existing = rule == null ? null : entries.get(rule);
        if (rule == null || existing == null) {
            return this;
        }
        TrieMap<HoldId, Hold> left = existing.holds.without(id);
        return new OwnerIndex(
                left.isEmpty() ? rulesByKeyWithout(existing.keys, rule) : rulesByKey,
                left.isEmpty() ? usage.without(existing.keys) : usage,
                left.isEmpty() ? entries.without(rule) : entries.with(rule, new RuleEntry(existing.keys, left)),
                ruleByHold.without(id));
    }

    private Set<OwnerKey> keysFor(OwnerRule rule) {
        Set<OwnerKey> keys = new LinkedHashSet<>();
        for (Owner owner : rule.owners()) {
            keys.addAll(leastUsedKeys(OwnerKey.alternativeKeys(owner)));
        }
        return keys;
    }

    private TrieMap<OwnerKey, TrieMap<OwnerRule, OwnerRule>> rulesByKeyWith(Set<OwnerKey> keys, OwnerRule rule) {
        TrieMap<OwnerKey, TrieMap<OwnerRule, OwnerRule>> all = rulesByKey;
        for (OwnerKey key : keys) {
            all = all.with(key, bucket(key).with(rule, rule));
        }
        return all;
    }

    private TrieMap<OwnerKey, TrieMap<OwnerRule, OwnerRule>> rulesByKeyWithout(Set<OwnerKey> keys, OwnerRule rule) {
        TrieMap<OwnerKey, TrieMap<OwnerRule, OwnerRule>> all = rulesByKey;
        for (OwnerKey key : keys) {
            TrieMap<OwnerRule, OwnerRule> bucket = bucket(key).without(rule);
            all = bucket.isEmpty() ? all.without(key) : all.with(key, bucket);
        }
        return all;
    }

    /** The rules that admit the pod, in no particular order. */
    public Collection<OwnerRule> rulesAdmitting(Pod pod) {
        if (rulesByKey.isEmpty()) {
            return List.of();
        }
        @Nullable Set<OwnerRule> found = null;
        for (OwnerKey key : OwnerKey.of(pod, usage)) {
            @Nullable TrieMap<OwnerRule, OwnerRule> bucket = rulesByKey.get(key);
            if (bucket != null) {
                found = found == null ? new LinkedHashSet<>() : found;
                addAdmitting(bucket, pod, found);
            }
        }
        return found == null ? List.of() : found;
    }

    private static void addAdmitting(TrieMap<OwnerRule, OwnerRule> bucket, Pod pod, Set<OwnerRule> found) {
        bucket.forEach((rule, same) -> {
            if (rule.admits(pod)) {
                found.add(rule);
            }
        });
    }

    /** The holds that admit the pod, sorted by id. */
    public Collection<Hold> holdsFor(Pod pod) {
        TreeMap<HoldId, Hold> found = new TreeMap<>();
        for (OwnerRule rule : rulesAdmitting(pod)) {
            @Nullable RuleEntry holds = entries.get(rule);
            if (holds != null) {
                holds.holds.forEach((id, hold) -> {
                    if (hold.admits(pod)) {
                        found.put(id, hold);
                    }
                });
            }
        }
        return new ArrayList<>(found.values());
    }

    /** The nodes with holds of these rules; empty if the rules have more holds than the maximum. */
    public Optional<Set<NodeUid>> nodesWithHolds(Collection<OwnerRule> rules, int limit) {
        Set<NodeUid> nodes = new HashSet<>();
        int count = 0;
        for (OwnerRule rule : rules) {
            @Nullable RuleEntry existing = entries.get(rule);
            count += existing == null ? 0 : existing.holds.size();
            if (count > limit) {
                return Optional.empty();
            }
            if (existing != null) {
                existing.holds.forEach((id, hold) -> nodes.add(hold.node()));
            }
        }
        return Optional.of(nodes);
    }

    /**
     * Holds whose owners match the pod but that the pod may not use: they are closed, or the pod does not tolerate
     * their taints. Of holds with equal rules only one is returned.
     */
    public List<Hold> holdsNotAdmitting(Pod pod, int limit) {
        Set<Hold> found = new LinkedHashSet<>();
        for (OwnerKey key : OwnerKey.of(pod, usage)) {
            bucket(key).forEach((rule, same) -> {
                @Nullable RuleEntry holds = entries.get(rule);
                @Nullable Hold first = holds == null ? null : holds.holds.firstValue();
                if (found.size() < limit && first != null && rule.hasOwnerMatching(pod) && !rule.admits(pod)) {
                    found.add(first);
                }
            });
        }
        return List.copyOf(found);
    }

    /**
     * Holds that have an owner that matches the pod, whether they admit it or not, sorted by id. The search ends at the
     * limit, so that many equal holds cost no more.
     */
    public List<Hold> holdsMatchingOwner(Pod pod, int limit) {
        TreeMap<HoldId, Hold> found = new TreeMap<>();
        for (OwnerKey key : OwnerKey.of(pod, usage)) {
            bucket(key).allMatch((rule, same) -> {
                @Nullable RuleEntry holds = entries.get(rule);
                return holds == null || !rule.hasOwnerMatching(pod) || addUpTo(limit, holds.holds, found);
            });
        }
        return List.copyOf(found.values());
    }

    /** Returns whether all were added. */
    private static boolean addUpTo(int limit, TrieMap<HoldId, Hold> holds, Map<HoldId, Hold> found) {
        return holds.allMatch((id, hold) -> {
            boolean hasRoom = found.size() < limit;
            if (hasRoom) {
                found.put(id, hold);
            }
            return hasRoom;
        });
    }

    /** The number of rules that a search for the pod compares. */
    int candidateCount(Pod pod) {
        return OwnerKey.of(pod, usage).stream()
                .mapToInt(key -> bucket(key).size())
                .sum();
    }

    private List<OwnerKey> leastUsedKeys(List<List<OwnerKey>> alternatives) {
        List<OwnerKey> best = alternatives.get(0);
        int fewest = Integer.MAX_VALUE;
        for (List<OwnerKey> keys : alternatives) {
            int used = 0;
            for (OwnerKey key : keys) {
                used += bucket(key).size();
            }
            if (used < fewest) {
                best = keys;
                fewest = used;
            }
        }
        return best;
    }

    private TrieMap<OwnerRule, OwnerRule> bucket(OwnerKey key) {
        @Nullable TrieMap<OwnerRule, OwnerRule> bucket = rulesByKey.get(key);
        return bucket == null ? TrieMap.empty() : bucket;
    }
}
