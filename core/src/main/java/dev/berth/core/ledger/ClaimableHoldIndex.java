package dev.berth.core.ledger;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodVolumes;
import dev.berth.core.hold.AllocatePolicy;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.OwnerRule;
import dev.berth.core.resource.Resources;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The claimable holds, by rule and node. Of equivalent holds of one rule and node the first in the order of preference
 * represents all: choosing among ten thousand equivalent holds costs as much as choosing among one. Only pods that select
 * Reservations by name, labels or size see the others.
 */
final class ClaimableHoldIndex {
    private final Map<OwnerRule, Map<NodeUid, Map<EquivalenceKey, TreeSet<Hold>>>> byRule = new HashMap<>();
    private final Map<HoldId, IndexedHold> indexed = new HashMap<>();
    /** The number of claimable holds of the rule, by node name. */
    private final Map<OwnerRule, TreeMap<String, Integer>> nodeNamesByRule = new HashMap<>();

    /** The claimable Reservations of each name, by their node names. */
    private final Map<String, Map<HoldId, String>> nodeNamesByReservation = new HashMap<>();

    private record IndexedHold(Hold hold, EquivalenceKey equivalenceKey, String nodeName) {
        /** Whether both are in the same place of everything but {@link #byRule}. */
        boolean isIndexedLike(IndexedHold other) {
            return equivalenceKey.rule.equals(other.equivalenceKey.rule)
                    && equivalenceKey.node.equals(other.equivalenceKey.node)
                    && nodeName.equals(other.nodeName)
                    && hold.reservation().equals(other.hold.reservation());
        }
    }

    /**
     * Everything about a hold that placement reads, except its id and what decides between equivalent holds.
     *
     * @param hash of the rest
     */
    private record EquivalenceKey(
            int hash,
            OwnerRule rule,
            NodeUid node,
            Resources size,
            List<HostPort> ports,
            Set<String> devices,
            boolean once,
            AllocatePolicy policy,
            Resources outstanding,
            Resources allocated,
            Optional<HoldId> drawnOn,
            String volumeNamespace,
            PodVolumes volumes) {
        static EquivalenceKey of(HoldState state) {
            Hold hold = state.hold();
            Optional<Pod> mounting =
                    hold.neighbour().filter(pod -> !pod.volumes().isEmpty());
            // Holds of one rule and node rarely differ in anything else.
            int hash = 31 * hold.size().hashCode() + state.allocated().hashCode();
            return new EquivalenceKey(
                    hash,
                    hold.ownerRule(),
                    hold.node(),
                    hold.size(),
                    hold.ports(),
                    hold.devices(),
                    hold.allocateOnce(),
                    hold.policy(),
                    state.outstanding(),
                    state.allocated(),
                    state.draws().source(),
                    mounting.map(Pod::namespace).orElse(""),
                    mounting.map(Pod::volumes).orElse(PodVolumes.NONE));
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }

    /** Replaces the state of the hold. */
    void put(HoldState state) {
        Hold hold = state.hold();
        if (!state.claimable() || hold.isClosed()) {
            remove(hold.id());
            return;
        }
        IndexedHold added =
                new IndexedHold(hold, EquivalenceKey.of(state), state.nodeName().orElseThrow());
        @Nullable IndexedHold before = indexed.put(hold.id(), added);
        if (before != null && before.isIndexedLike(added)) {
            removeEquivalent(before);
        } else {
            if (before != null) {
                removeFromIndexes(before);
            }
            addNames(added);
        }
        addEquivalent(added);
    }

    private void addNames(IndexedHold added) {
        added.hold
                .reservation()
                .ifPresent(info -> nodeNamesByReservation
                        .computeIfAbsent(info.name(), name -> new HashMap<>())
                        .put(added.hold.id(), added.nodeName));
        nodeNamesByRule
                .computeIfAbsent(added.equivalenceKey.rule, rule -> new TreeMap<>())
                .merge(added.nodeName, 1, Integer::sum);
    }

    private void addEquivalent(IndexedHold added) {
        byRule.computeIfAbsent(added.equivalenceKey.rule, rule -> new HashMap<>())
                .computeIfAbsent(added.equivalenceKey.node, node -> new HashMap<>())
                .computeIfAbsent(added.equivalenceKey, same -> new TreeSet<>(Hold.BY_PREFERENCE))
                .add(added.hold);
    }

    void remove(HoldId id) {
        @Nullable IndexedHold removed = indexed.remove(id);
        if (removed != null) {
            removeFromIndexes(removed);
        }
    }

    private void removeFromIndexes(IndexedHold removed) {
        removed.hold
                .reservation()
                .ifPresent(info -> nodeNamesByReservation.computeIfPresent(info.name(), (name, nodeNames) -> {
                    nodeNames.remove(removed.hold.id());
                    return nodeNames.isEmpty() ? null : nodeNames;
                }));
        nodeNamesByRule.computeIfPresent(removed.equivalenceKey.rule, (rule, counts) -> {
            counts.computeIfPresent(removed.nodeName, (name, count) -> count == 1 ? null : count - 1);
            return counts.isEmpty() ? null : counts;
        });
        removeEquivalent(removed);
    }

    private void removeEquivalent(IndexedHold removed) {
        EquivalenceKey equivalenceKey = removed.equivalenceKey;
        byRule.computeIfPresent(equivalenceKey.rule, (rule, nodes) -> {
            nodes.computeIfPresent(equivalenceKey.node, (node, equivalenceKeys) -> {
                equivalenceKeys.computeIfPresent(equivalenceKey, (same, holds) -> {
                    holds.remove(removed.hold);
                    return holds.isEmpty() ? null : holds;
                });
                return equivalenceKeys.isEmpty() ? null : equivalenceKeys;
            });
            return nodes.isEmpty() ? null : nodes;
        });
    }

    boolean has(OwnerRule rule) {
        return byRule.containsKey(rule);
    }

    /** The nodes with claimable holds of the rule. */
    Collection<NodeUid> nodesWith(OwnerRule rule) {
        return byRule.getOrDefault(rule, Map.of()).keySet();
    }

    /** The first names of nodes with claimable holds of the rules, in their order. */
    List<String> firstNodeNames(Collection<OwnerRule> rules, int limit) {
        TreeSet<String> first = new TreeSet<>();
        for (OwnerRule rule : rules) {
            nodeNamesByRule.getOrDefault(rule, new TreeMap<>()).keySet().stream()
                    .limit(limit)
                    .forEach(first::add);
        }
        return first.stream().limit(limit).toList();
    }

    /** The names of the nodes with claimable Reservations of this name. */
    Collection<String> nodeNamesOfReservation(String name) {
        return nodeNamesByReservation.getOrDefault(name, Map.of()).values();
    }

    /**
     * The claimable holds of the rules on the node, of equivalent holds the first that passes the filter, in the order of
     * preference.
     */
    List<Hold> holdsOn(NodeUid node, Collection<OwnerRule> rules, Predicate<Hold> filter) {
        List<Hold> found = new ArrayList<>();
        for (OwnerRule rule : rules) {
            for (TreeSet<Hold> equivalent : byRule.getOrDefault(rule, Map.of())
                    .getOrDefault(node, Map.of())
                    .values()) {
                addFirst(equivalent, filter, found);
            }
        }
        if (found.size() > 1) {
            found.sort(Hold.BY_PREFERENCE);
        }
        return found;
    }

    private static void addFirst(SortedSet<Hold> equivalent, Predicate<Hold> filter, List<Hold> found) {
        for (Hold hold : equivalent) {
            if (filter.test(hold)) {
                found.add(hold);
                return;
            }
        }
    }
}
