package dev.berth.core.placement.table;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeAffinity;
import dev.berth.core.cluster.PodShape;
import dev.berth.core.cluster.Taint;
import dev.berth.core.cluster.Toleration;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.profile.Rule;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the nodes are, in themselves, to pods of one taste and profile: whether labels and taints let them in, how many taints they
 * would rather avoid, how much they like the node. Changes only when nodes do, and is shared by all shapes of the taste.
 */
public final class Suitability {
    /** What of a shape these answers depend on. */
    public record Taste(NodeAffinity affinity, List<Toleration> tolerations) {
        public static Taste of(PodShape shape) {
            return new Taste(shape.affinity(), shape.tolerations());
        }
    }

    private static final Taint CORDON = new Taint("node.kubernetes.io/unschedulable", "", Taint.Effect.NO_SCHEDULE);
    private static final int ALLOWED = 1;
    private static final int TAKEN = 2;
    private static final int TOLERATED = 4;
    private static final int KIND_SHIFT = 3;
    private static final int LOG = 1 << 12;

    /** Nodes of one kind are the same to the pod in what scores are normalised over. */
    private record Kind(int taints, int liking) {}

    private final NodeTable table;
    private final PodShape model;
    private final NodeAffinity added;
    private final boolean heedsCordons;
    private final boolean heedsTaints;
    private final boolean heedsAffinity;
    private final SlotLog changed = new SlotLog(LOG);
    private final Map<Kind, Integer> kinds = new HashMap<>();
    private int[] taints = new int[4];
    private int[] likings = new int[4];
    private int[] answers = new int[0];
    private long seen = -1;

    /** @param model any shape of the taste */
    public Suitability(NodeTable table, PodShape model, Profile profile) {
        this.table = table;
        this.model = model;
        this.added = profile.added();
        this.heedsCordons = profile.enforces(Rule.UNSCHEDULABLE);
        this.heedsTaints = profile.enforces(Rule.TAINTS);
        this.heedsAffinity = profile.enforces(Rule.NODE_AFFINITY);
    }

    public SlotLog changed() {
        return changed;
    }

    /** Whether the pod's own rules let it go there, whatever the node has against it. */
    public boolean allows(int slot) {
        return (answers[slot] & ALLOWED) != 0;
    }

    /** Whether the pod bears all taints of the node, were it allowed there or not. */
    public boolean tolerated(int slot) {
        return (answers[slot] & TOLERATED) != 0;
    }

    public boolean takes(int slot) {
        return (answers[slot] & TAKEN) != 0;
    }

    public int kind(int slot) {
        return answers[slot] >> KIND_SHIFT;
    }

    public int taints(int kind) {
        return taints[kind];
    }

    public int liking(int kind) {
        return likings[kind];
    }

    /** Whether the pod chooses among nodes at all. */
    public boolean restricts() {
        return !model.affinity().selector().isEmpty()
                || model.affinity().required().isPresent();
    }

    public void repair() {
        SlotLog nodes = table.changedNodes();
        if (answers.length < table.bound()) {
            answers = Arrays.copyOf(answers, table.bound() + table.bound() / 4);
        }
        if (seen < 0 || !nodes.reachesBackTo(seen)) {
            for (int slot = 0; slot < table.bound(); slot++) {
                repair(slot);
            }
        } else {
            for (long number = seen; number < nodes.head(); number++) {
                repair(nodes.slotAt(number));
            }
        }
        seen = nodes.head();
    }

    private void repair(int slot) {
        Optional<NodeState> state = table.state(slot);
        int answer = state.isPresent() ? answer(state.get().node()) : 0;
        if (answers[slot] != answer) {
            answers[slot] = answer;
            changed.add(slot);
        }
    }

    /** The kind of a node that takes the pod, found out for this node alone. */
    public int kindOf(Node node) {
        return kind(new Kind(avoided(node), model.affinity().preference(node) + added.preference(node)));
    }

    private int answer(Node node) {
        boolean allowed = model.affinity().allows(node);
        boolean tolerated = !repels(node);
        boolean taken = (!heedsAffinity || (allowed && added.allows(node)))
                && !(heedsCordons && node.unschedulable() && !model.tolerates(CORDON))
                && (!heedsTaints || tolerated);
        int kind = taken ? kindOf(node) : 0;
        return (kind << KIND_SHIFT) | (tolerated ? TOLERATED : 0) | (taken ? TAKEN : 0) | (allowed ? ALLOWED : 0);
    }

    private boolean repels(Node node) {
        for (Taint taint : node.taints()) {
            if (taint.effect() != Taint.Effect.PREFER_NO_SCHEDULE && !model.tolerates(taint)) {
                return true;
            }
        }
        return false;
    }

    private int avoided(Node node) {
        int count = 0;
        for (Taint taint : node.taints()) {
            count += taint.effect() == Taint.Effect.PREFER_NO_SCHEDULE && !model.tolerates(taint) ? 1 : 0;
        }
        return count;
    }

    private int kind(Kind kind) {
        Integer known = kinds.get(kind);
        if (known != null) {
            return known;
        }
        int number = kinds.size();
        if (number == taints.length) {
            taints = Arrays.copyOf(taints, number * 2);
            likings = Arrays.copyOf(likings, number * 2);
        }
        taints[number] = kind.taints();
        likings[number] = kind.liking();
        kinds.put(kind, number);
        return number;
    }
}
