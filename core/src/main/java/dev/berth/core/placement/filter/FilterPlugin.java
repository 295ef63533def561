package dev.berth.core.placement.filter;

import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.Hold;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.ledger.Snapshot;
import java.util.List;
import java.util.Optional;

/**
 * The PreFilter and Filter extension points: a component that filters nodes by objects of its own, such as volumes or
 * devices. Owned by the thread that owns the ledger.
 */
public interface FilterPlugin {
    /**
     * Whether the plugin filters nodes for the pod. The other methods are called only for such pods. Called for every
     * pod, so it must cost nothing.
     */
    boolean appliesTo(Pod pod);

    /** Why no node is feasible for the pod now; empty if some node may be. Called before any node is filtered. */
    default Optional<Veto> preFilter(Pod pod) {
        return Optional.empty();
    }

    /**
     * Why the node is not feasible for the pod; empty if it is. A veto of {@link #preFilter} applies to every node.
     *
     * @param cycle the pod, and the holds that it does not see as neighbours
     * @param hold the hold that the pod would use there
     */
    List<Veto> filter(CycleState cycle, NodeState state, Optional<Hold> hold);

    /**
     * A plugin with the present objects that reads the snapshot, for one other thread at a time. Later changes do not
     * show in it. Empty if the extender does not run this plugin. Called after every turn of the loop, so it must cost
     * nothing.
     *
     * @param snapshot the present ledger
     */
    default Optional<FilterPlugin> publish(Snapshot snapshot) {
        return Optional.empty();
    }
}
