package dev.berth.core.placement.table;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeAffinity;
import dev.berth.core.cluster.PodSpec;
import dev.berth.core.cluster.Taint;
import dev.berth.core.cluster.Toleration;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.profile.FilterPlugin;
import dev.berth.core.placement.profile.Profile;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The properties of nodes for pods with equal node affinity and tolerations: whether labels and taints allow the node,
 * the number of untolerated PreferNoSchedule taints, and the weight of matching preferences. Changes only if nodes
 * change, and is shared by all specs with these properties.
 */
public final class NodeSuitability {
    /** The part of a spec that suitability depends on. */
    public record SuitabilityKey(NodeAffinity affinity, List<Toleration> tolerations) {
        public static SuitabilityKey of(PodSpec shape) {
            return new SuitabilityKey(shape.nodeAffinity(), shape.tolerations());
        }
    }

    private static final int ALLOWED_FLAG = 1;
    private static final int ACCEPTED_FLAG = 2;
    private static final int TOLERATED_FLAG = 4;
    private static final int KIND_SHIFT = 3;
    private static final int LOG_CAPACITY = 1 << 12;

    /** Nodes of one preference class are equal in the scores that are normalized over all nodes. */
    private record PreferenceClass(int avoidedTaints, int preferenceWeight) {}

    private final NodeTable table;
    private final PodSpec sample;
    private final NodeAffinity addedAffinity;
    private final boolean enforcesUnschedulable;
    private final boolean enforcesTaints;
    private final boolean enforcesNodeAffinity;
    private final SlotChangeLog changes = new SlotChangeLog(LOG_CAPACITY);
    private final Map<PreferenceClass, Integer> preferenceClasses = new HashMap<>();
    private int[] avoidedTaints = new int[4];
    private int[] preferenceWeights = new int[4];
    private int[] flagsBySlot = new int[0];
    private final ChangeCursor nodeChanges;

    /** @param model any spec with these properties */
    public NodeSuitability(NodeTable table, PodSpec model, Profile profile) {
        this.table = table;
        this.nodeChanges = new ChangeCursor(table.nodeChanges());
        this.sample = model;
        this.addedAffinity = profile.addedAffinity();
        this.enforcesUnschedulable = profile.enforces(FilterPlugin.NODE_UNSCHEDULABLE);
        this.enforcesTaints = profile.enforces(FilterPlugin.TAINT_TOLERATION);
        this.enforcesNodeAffinity = profile.enforces(FilterPlugin.NODE_AFFINITY);
    }

    public SlotChangeLog changes() {
        return changes;
    }

    /** Whether the pod's own node constraints allow the node, independent of taints. */
    public boolean allows(int slot) {
        return (flagsBySlot[slot] & ALLOWED_FLAG) != 0;
    }

    /** Whether the pod tolerates all taints of the node, independent of node affinity. */
    public boolean isTolerated(int slot) {
        return (flagsBySlot[slot] & TOLERATED_FLAG) != 0;
    }

    public boolean accepts(int slot) {
        return (flagsBySlot[slot] & ACCEPTED_FLAG) != 0;
    }

    public int kind(int slot) {
        return flagsBySlot[slot] >> KIND_SHIFT;
    }

    public int avoidedTaints(int kind) {
        return avoidedTaints[kind];
    }

    public int preferenceWeight(int kind) {
        return preferenceWeights[kind];
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
    public int kindOf(Node node) {
        return kind(new PreferenceClass(
                countAvoidedTaints(node),
                sample.nodeAffinity().preferenceScore(node) + addedAffinity.preferenceScore(node)));
    }

    private int flags(Node node) {
        boolean allowed = sample.nodeAffinity().matches(node);
        boolean tolerated = !sample.hasUntoleratedTaint(node.taints());
        boolean taken = (!enforcesNodeAffinity || (allowed && addedAffinity.matches(node)))
                && !(enforcesUnschedulable && node.unschedulable() && !sample.tolerates(Taint.UNSCHEDULABLE))
                && (!enforcesTaints || tolerated);
        int kind = taken ? kindOf(node) : 0;
        return (kind << KIND_SHIFT)
                | (tolerated ? TOLERATED_FLAG : 0)
                | (taken ? ACCEPTED_FLAG : 0)
                | (allowed ? ALLOWED_FLAG : 0);
    }

    private int countAvoidedTaints(Node node) {
        int count = 0;
        for (Taint taint : node.taints()) {
            count += taint.effect() == Taint.TaintEffect.PREFER_NO_SCHEDULE && !sample.tolerates(taint) ? 1 : 0;
        }
        return count;
    }

    private int kind(PreferenceClass preferenceClass) {
        Integer known = preferenceClasses.get(preferenceClass);
        if (known != null) {
            return known;
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
