package dev.berth.core.placement.filter;

import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.Hold;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.ledger.Snapshot;
import java.util.Optional;

/** Things on nodes that exist one by one and that some pods ask for. Belongs to the thread that owns the ledger. */
public interface DeviceFilter {
    /** There are none, and nobody asks for any. */
    DeviceFilter NONE = new DeviceFilter() {
        @Override
        public boolean appliesTo(Pod pod) {
            return false;
        }

        @Override
        public Optional<Veto> veto(Pod pod, NodeState state, Optional<Hold> own) {
            return Optional.empty();
        }

        @Override
        public DeviceFilter publish(Snapshot snapshot) {
            return this;
        }
    };

    /** Whether the pod asks for any. Asked of every pod: must cost nothing. */
    boolean appliesTo(Pod pod);

    /**
     * Why the node cannot give the pod all that it asks for, together; empty when it can. Asked only of pods that want
     * something.
     *
     * @param own the hold that the pod would use there
     */
    Optional<Veto> veto(Pod pod, NodeState state, Optional<Hold> own);

    /**
     * A filter with the devices of this moment, which answers from the snapshot: for one other thread at a time. Later
     * changes do not show in it. Called after every turn of the loop: must cost nothing.
     *
     * @param snapshot the ledger of this moment
     */
    DeviceFilter publish(Snapshot snapshot);
}
