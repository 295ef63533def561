package dev.berth.core.ledger;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.HoldPolicy;
import dev.berth.core.hold.OwnerRule;
import dev.berth.core.resource.Resources;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The holds that can be claimed, by rule and node. Holds of one rule and node that a pod cannot tell apart are one offer,
 * and the first of them by id stands for all: choosing among ten thousand equal holds costs what choosing among one does.
 */
final class Offers {
    private final Map<OwnerRule, Map<NodeUid, Map<Kind, TreeMap<HoldId, Hold>>>> byRule = new HashMap<>();
    private final Map<HoldId, Filed> filed = new HashMap<>();
    /** How many holds of the rule can be claimed on the node of this name. */
    private final Map<OwnerRule, TreeMap<String, Integer>> names = new HashMap<>();

    private record Filed(Kind kind, String nodeName) {}

    /** Everything about a hold that placement looks at, but for its id. */
    private record Kind(
            OwnerRule rule,
            NodeUid node,
            Resources size,
            List<HostPort> ports,
            Set<String> devices,
            boolean once,
            HoldPolicy policy,
            Resources outstanding,
            Resources allocated,
            Optional<HoldId> drawnOn) {
        static Kind of(HoldState state) {
            Hold hold = state.hold();
            return new Kind(
                    hold.rule(),
                    hold.node(),
                    hold.size(),
                    hold.ports(),
                    hold.devices(),
                    hold.once(),
                    hold.policy(),
                    state.outstanding(),
                    state.allocated(),
                    state.draws().on());
        }
    }

    /** The hold is now as the state says. */
    void put(HoldState state) {
        Hold hold = state.hold();
        remove(hold.id());
        if (state.claimable() && !hold.closed()) {
            Kind kind = Kind.of(state);
            String nodeName = state.nodeName().orElseThrow();
            filed.put(hold.id(), new Filed(kind, nodeName));
            names.computeIfAbsent(kind.rule, rule -> new TreeMap<>()).merge(nodeName, 1, Integer::sum);
            byRule.computeIfAbsent(kind.rule, rule -> new HashMap<>())
                    .computeIfAbsent(kind.node, node -> new HashMap<>())
                    .computeIfAbsent(kind, same -> new TreeMap<>())
                    .put(hold.id(), hold);
        }
    }

    void remove(HoldId id) {
        @Nullable Filed known = filed.remove(id);
        if (known == null) {
            return;
        }
        Kind kind = known.kind;
        names.computeIfPresent(kind.rule, (rule, counts) -> {
            counts.computeIfPresent(known.nodeName, (name, count) -> count == 1 ? null : count - 1);
            return counts.isEmpty() ? null : counts;
        });
        byRule.computeIfPresent(kind.rule, (rule, nodes) -> {
            nodes.computeIfPresent(kind.node, (node, kinds) -> {
                kinds.computeIfPresent(kind, (same, holds) -> {
                    holds.remove(id);
                    return holds.isEmpty() ? null : holds;
                });
                return kinds.isEmpty() ? null : kinds;
            });
            return nodes.isEmpty() ? null : nodes;
        });
    }

    boolean has(OwnerRule rule) {
        return byRule.containsKey(rule);
    }

    /** The nodes with holds of the rule that can be claimed. */
    Collection<NodeUid> nodes(OwnerRule rule) {
        return byRule.getOrDefault(rule, Map.of()).keySet();
    }

    /** The names of the first nodes, in their order, with holds of the rules that can be claimed. */
    List<String> firstNodes(Collection<OwnerRule> rules, int most) {
        TreeSet<String> first = new TreeSet<>();
        for (OwnerRule rule : rules) {
            names.getOrDefault(rule, new TreeMap<>()).keySet().stream()
                    .limit(most)
                    .forEach(first::add);
        }
        return first.stream().limit(most).toList();
    }

    /** The holds of the rules that can be claimed on the node, of those alike the first, in the order of their ids. */
    List<Hold> on(NodeUid node, Collection<OwnerRule> rules) {
        List<Hold> found = new ArrayList<>();
        for (OwnerRule rule : rules) {
            for (TreeMap<HoldId, Hold> alike : byRule.getOrDefault(rule, Map.of())
                    .getOrDefault(node, Map.of())
                    .values()) {
                found.add(alike.firstEntry().getValue());
            }
        }
        if (found.size() > 1) {
            found.sort(Comparator.comparing(Hold::id));
        }
        return found;
    }
}
