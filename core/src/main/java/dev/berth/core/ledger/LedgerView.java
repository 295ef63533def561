package dev.berth.core.ledger;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.Workload;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.resource.Resources;
import java.util.List;
import java.util.Optional;

/** What placement reads of the ledger. Valid on the thread that owns the ledger, between two changes of it. */
public interface LedgerView {
    /** All slots in use are below this number. */
    int slotBound();

    Optional<NodeState> nodeAt(int slot);

    Optional<NodeState> node(String name);

    int nodeCount();

    /** The live holds that the pod may use by their owners, in the order of node name and id. Costs nothing for others. */
    List<Hold> holdsFor(Pod pod);

    /** What a pod that may use the hold would find there: free + outstanding of this hold, cut by its policy. */
    Resources roomWith(Hold hold, Pod pod);

    /** The live hold of this id: one of those that {@link NodeState#holds} names. */
    Optional<Hold> hold(HoldId id);

    /** What the hold keeps beyond what its claims and backers already use: its part of {@link NodeState#outstanding}. */
    Resources outstanding(Hold hold);

    /** The Services that select the pod and the workload that controls it, in the order of kind and name. */
    List<Workload> workloadsOf(Pod pod);

    /** The number of the latest change. Grows by one with every change. */
    long version();

    /**
     * Tells all changes after the given version, oldest first.
     *
     * @return false when the log does not reach back that far: then nothing was told and everything must be read anew
     */
    boolean changesSince(long version, Changes changes);

    /**
     * Hears of changes in their order. A node's own change (labels, capacity, taints, holds) and its pods' apart. A pod
     * that changed in place (labels, requests, a deletion asked for) left as it was and arrived as it is.
     */
    interface Changes {
        /** The node appeared, went, or anything about it or its holds changed other than a pod's coming and going. */
        void nodeChanged(int slot);

        void podArrived(int slot, Pod pod);

        void podLeft(int slot, Pod pod);

        /** Some Service or workload changed: what {@link #workloadsOf} answers may differ for any pod of the namespace. */
        void workloadsChanged(String namespace);
    }
}
