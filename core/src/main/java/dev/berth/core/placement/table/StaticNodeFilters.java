package dev.berth.core.placement.table;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeAffinity;
import dev.berth.core.cluster.PodSpec;
import dev.berth.core.cluster.Taint;
import dev.berth.core.cluster.Toleration;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.filter.NodePlugins;
import dev.berth.core.placement.profile.Profile;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The filters that depend on the node object alone, for pods with equal node affinity and tolerations: node affinity,
 * unschedulable nodes and taints. Also the number of untolerated PreferNoSchedule taints and the weight of matching
 * preferences, which are scored. The results change only if nodes change, and all specs with these properties share
 * them.
 *
 * <p>The rules are those of {@link NodePlugins}. They are evaluated only for nodes that changed.
 */
public final class StaticNodeFilters {
    /** The part of a spec that these filters depend on. */
    public record StaticFilterKey(NodeAffinity affinity, List<Toleration> tolerations) {
        public static StaticFilterKey of(PodSpec spec) {
            return new StaticFilterKey(spec.nodeAffinity(), spec.tolerations());
        }
    }

    private static final int NODE_AFFINITY_FLAG = 1;
    private static final int FEASIBLE_FLAG = 2;
    private static final int TOLERATED_FLAG = 4;
    private static final int PREFERENCE_CLASS_SHIFT = 3;
    private static final int LOG_CAPACITY = 1 << 12;

    /** Nodes of one preference class are equal in the scores that are normalized over all nodes. */
    private record PreferenceClass(int avoidedTaints, int preferenceWeight) {}

    private final NodeTable table;
    private final PodSpec sample;
    private final Profile profile;
    private final SlotChangeLog changes = new SlotChangeLog(LOG_CAPACITY);
    private final Map<PreferenceClass, Integer> preferenceClasses = new HashMap<>();
    private int[] avoidedTaints = new int[4];
    private int[] preferenceWeights = new int[4];
    private int[] flagsBySlot = new int[0];
    private final ChangeCursor nodeChanges;

    /** @param sample any spec with these properties */
    public StaticNodeFilters(NodeTable table, PodSpec sample, Profile profile) {
        this.table = table;
        this.nodeChanges = new ChangeCursor(table.nodeChanges());
        this.sample = sample;
        this.profile = profile;
    }

    public SlotChangeLog changes() {
        return changes;
    }

    /** Whether the node matches the pod's own selector and affinity, independent of taints. */
    public boolean matchesNodeAffinity(int slot) {
        return (flagsBySlot[slot] & NODE_AFFINITY_FLAG) != 0;
    }

    /** Whether the pod tolerates all taints of the node, independent of node affinity. */
    public boolean toleratesTaints(int slot) {
        return (flagsBySlot[slot] & TOLERATED_FLAG) != 0;
    }

    /** Whether the node passes all of these filters that the profile enforces. */
    public boolean passesStaticFilters(int slot) {
        return (flagsBySlot[slot] & FEASIBLE_FLAG) != 0;
    }

    /** The preference class of a node that passes the filters. */
    public int preferenceClass(int slot) {
        return flagsBySlot[slot] >> PREFERENCE_CLASS_SHIFT;
    }

    public int avoidedTaints(int preferenceClass) {
        return avoidedTaints[preferenceClass];
    }

    public int preferenceWeight(int preferenceClass) {
        return preferenceWeights[preferenceClass];
    }

    /** Whether the pod has node constraints at all. */
    public boolean hasNodeConstraints() {
        return !sample.nodeAffinity().selector().isEmpty()
                || sample.nodeAffinity().required().isPresent();
    }

    public void refresh() {
        if (flagsBySlot.length < table.slotBound()) {
            flagsBySlot = Arrays.copyOf(flagsBySlot, table.slotBound() + table.slotBound() / 4);
        }
        if (nodeChanges.mustReadAll()) {
            for (int slot = 0; slot < table.slotBound(); slot++) {
                refresh(slot);
            }
        } else {
            for (long number = nodeChanges.next(); number < nodeChanges.head(); number++) {
                refresh(nodeChanges.slotAt(number));
            }
        }
        nodeChanges.moveToHead();
    }

    private void refresh(int slot) {
        Optional<NodeState> state = table.stateAt(slot);
        int flags = state.isPresent() ? flags(state.get().node()) : 0;
        if (flagsBySlot[slot] != flags) {
            flagsBySlot[slot] = flags;
            changes.add(slot);
        }
    }

    /** The preference class of a feasible node, computed for this node alone. */
    public int preferenceClassOf(Node node) {
        return preferenceClass(new PreferenceClass(
                countAvoidedTaints(node),
                sample.nodeAffinity().preferenceScore(node)
                        + profile.addedAffinity().preferenceScore(node)));
    }

    private int flags(Node node) {
        boolean matchesAffinity = sample.nodeAffinity().matches(node);
        boolean tolerated = !sample.hasUntoleratedTaint(node.taints());
        // A pod that requests a node by name is not placed by a ranking.
        boolean feasible =
                NodePlugins.findVeto(sample, Optional.empty(), node, profile).isEmpty();
        int preferenceClass = feasible ? preferenceClassOf(node) : 0;
        return (preferenceClass << PREFERENCE_CLASS_SHIFT)
                | (tolerated ? TOLERATED_FLAG : 0)
                | (feasible ? FEASIBLE_FLAG : 0)
                | (matchesAffinity ? NODE_AFFINITY_FLAG : 0);
    }

    private int countAvoidedTaints(Node node) {
        int count = 0;
        for (Taint taint : node.taints()) {
            count += taint.effect() == Taint.TaintEffect.PREFER_NO_SCHEDULE && !sample.tolerates(taint) ? 1 : 0;
        }
        return count;
    }

    private int preferenceClass(PreferenceClass preferenceClass) {
        Integer existing = preferenceClasses.get(preferenceClass);
        if (existing != null) {
            return existing;
        }
        int number = preferenceClasses.size();
        if (number == avoidedTaints.length) {
            avoidedTaints = Arrays.copyOf(avoidedTaints, number * 2);
            preferenceWeights = Arrays.copyOf(preferenceWeights, number * 2);
        }
        avoidedTaints[number] = preferenceClass.avoidedTaints();
        preferenceWeights[number] = preferenceClass.preferenceWeight();
        preferenceClasses.put(preferenceClass, number);
        return number;
    }
}
