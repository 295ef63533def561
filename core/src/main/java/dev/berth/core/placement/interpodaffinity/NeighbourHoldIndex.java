package dev.berth.core.placement.interpodaffinity;

import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.OwnerRule;
import dev.berth.core.placement.interpodaffinity.HoldGroup.GroupKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntUnaryOperator;

/**
 * The holds that count as pods, by owner rule. All counts of pods contain them. A pod that a rule admits subtracts the
 * holds of the rule, which costs as much for ten thousand equal holds as for one.
 */
public final class NeighbourHoldIndex {
    private final IntUnaryOperator domainOfSlot;
    private final Map<OwnerRule, Map<GroupKey, HoldGroup>> groupsByRule = new HashMap<>();
    private final Set<OwnerRule> rulesNamingPods = new LinkedHashSet<>();

    /** @param domainOfSlot returns the zone of the node in a slot, as a small number */
    public NeighbourHoldIndex(IntUnaryOperator domainOfSlot) {
        this.domainOfSlot = domainOfSlot;
    }

    public void onHoldAdded(int slot, Hold hold) {
        count(slot, hold, 1);
    }

    public void onHoldRemoved(int slot, Hold hold) {
        count(slot, hold, -1);
    }

    /** The rules that may admit only some of several pods with equal namespaces, labels and specs. */
    public Collection<OwnerRule> rulesNamingPods() {
        return Collections.unmodifiableCollection(rulesNamingPods);
    }

    /** No pod may start to use a closed hold, so all pods see it. */
    private void count(int slot, Hold hold, int delta) {
        if (hold.isClosed()) {
            return;
        }
        Pod neighbour = hold.neighbour().orElseThrow();
        GroupKey key = GroupKey.of(neighbour);
        Map<GroupKey, HoldGroup> groups = groupsByRule.computeIfAbsent(hold.ownerRule(), rule -> new LinkedHashMap<>());
        if (groups.isEmpty() && hold.ownerRule().namesPods()) {
            rulesNamingPods.add(hold.ownerRule());
        }
        HoldGroup group = groups.computeIfAbsent(key, same -> new HoldGroup(neighbour));
        group.counts().add(slot, domainOfSlot.applyAsInt(slot), delta);
        if (group.counts().bySlot().total() == 0) {
            groups.remove(key);
            if (groups.isEmpty()) {
                groupsByRule.remove(hold.ownerRule());
                rulesNamingPods.remove(hold.ownerRule());
            }
        }
    }

    /**
     * The holds that a pod does not see.
     *
     * @param rules the owner rules that admit the pod
     */
    public HiddenHolds hiddenBy(Collection<OwnerRule> rules) {
        if (rules.isEmpty() || groupsByRule.isEmpty()) {
            return HiddenHolds.NONE;
        }
        List<HoldGroup> hidden = new ArrayList<>();
        for (OwnerRule rule : rules) {
            hidden.addAll(groupsByRule.getOrDefault(rule, Map.of()).values());
        }
        return hidden.isEmpty() ? HiddenHolds.NONE : new HiddenHolds(hidden);
    }
}
