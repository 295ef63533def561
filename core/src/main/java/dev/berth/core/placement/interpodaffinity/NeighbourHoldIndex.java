package dev.berth.core.placement.interpodaffinity;

import dev.berth.core.hold.Hold;
import dev.berth.core.hold.OwnerRule;
import dev.berth.core.placement.filter.HoldVisibility;
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
import org.jspecify.annotations.Nullable;

/**
 * The holds that count as pods, by owner rule. All counts of pods contain them. A pod that a rule admits subtracts the
 * holds of the rule, which costs as much for ten thousand equal holds as for one.
 */
public final class NeighbourHoldIndex {
    private final IntUnaryOperator domainOfSlot;
    private final Map<OwnerRule, Map<GroupKey, HoldGroup>> groupsByRule = new HashMap<>();
    private final Map<GroupKey, HoldGroup> closedReservations = new LinkedHashMap<>();
    private final Set<OwnerRule> rulesNamingPods = new LinkedHashSet<>();
    /** All Reservations, for pods that ignore them; null after a change, until such a pod is placed. */
    private @Nullable HiddenHolds reservations;

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

    private void count(int slot, Hold hold, int delta) {
        reservations = null;
        if (hold.isClosed()) {
            countClosed(slot, hold, delta);
            return;
        }
        Map<GroupKey, HoldGroup> groups = groupsByRule.computeIfAbsent(hold.ownerRule(), rule -> new LinkedHashMap<>());
        if (groups.isEmpty() && hold.ownerRule().namesPods()) {
            rulesNamingPods.add(hold.ownerRule());
        }
        count(slot, hold, delta, groups);
        if (groups.isEmpty()) {
            groupsByRule.remove(hold.ownerRule());
            rulesNamingPods.remove(hold.ownerRule());
        }
    }

    /** No pod may start to use a closed hold, so all pods see it, except those that ignore Reservations. */
    private void countClosed(int slot, Hold hold, int delta) {
        if (hold.isReservation()) {
            count(slot, hold, delta, closedReservations);
        }
    }

    private void count(int slot, Hold hold, int delta, Map<GroupKey, HoldGroup> groups) {
        GroupKey key = GroupKey.of(hold);
        HoldGroup group = groups.computeIfAbsent(
                key, same -> new HoldGroup(hold.neighbour().orElseThrow()));
        group.counts().add(slot, domainOfSlot.applyAsInt(slot), delta);
        if (group.counts().bySlot().total() == 0) {
            groups.remove(key);
        }
    }

    /** The holds that a pod does not see. */
    public HiddenHolds hiddenBy(HoldVisibility visibility) {
        if (visibility.ignoresReservations()) {
            return reservationsAnd(visibility.ownerRules());
        }
        Collection<OwnerRule> rules = visibility.ownerRules();
        if (rules.isEmpty() || groupsByRule.isEmpty()) {
            return HiddenHolds.NONE;
        }
        List<HoldGroup> hidden = new ArrayList<>();
        for (OwnerRule rule : rules) {
            hidden.addAll(groupsByRule.getOrDefault(rule, Map.of()).values());
        }
        return hidden.isEmpty() ? HiddenHolds.NONE : new HiddenHolds(hidden);
    }

    private HiddenHolds reservationsAnd(Collection<OwnerRule> rules) {
        if (reservations == null) {
            reservations = new HiddenHolds(List.copyOf(allReservations()));
        }
        List<HoldGroup> others = new ArrayList<>(0);
        for (OwnerRule rule : rules) {
            groupsByRule.getOrDefault(rule, Map.of()).forEach((key, group) -> {
                if (!key.ofReservations()) {
                    others.add(group);
                }
            });
        }
        if (others.isEmpty()) {
            return reservations;
        }
        others.addAll(reservations.groups());
        return new HiddenHolds(others);
    }

    /** One group for equal neighbours of all rules: a cluster may have thousands of rules. */
    private Collection<HoldGroup> allReservations() {
        Map<GroupKey, HoldGroup> merged = new LinkedHashMap<>();
        groupsByRule.values().forEach(groups -> merge(groups, merged));
        merge(closedReservations, merged);
        return merged.values();
    }

    private void merge(Map<GroupKey, HoldGroup> groups, Map<GroupKey, HoldGroup> merged) {
        groups.forEach((key, group) -> {
            if (key.ofReservations()) {
                HoldGroup sum = merged.computeIfAbsent(key, same -> group.emptyCopy());
                group.counts()
                        .bySlot()
                        .forEach((slot, count) -> sum.counts().add(slot, domainOfSlot.applyAsInt(slot), count));
            }
        });
    }
}
