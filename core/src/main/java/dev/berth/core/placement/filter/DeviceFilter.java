package dev.berth.core.placement.filter;

import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.Hold;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.ledger.Snapshot;
import java.util.Optional;

/** Filters nodes by the named devices that a pod claims. Owned by the thread that owns the ledger. */
public interface DeviceFilter {
    /** There are no devices and no claims. */
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

    /** Whether the pod claims devices. Called for every pod, so it must cost nothing. */
    boolean appliesTo(Pod pod);

    /**
     * Why the node does not satisfy all claims of the pod together; empty if it does. Called only for pods that claim
     * devices.
     *
     * @param own the hold that the pod would use there
     */
    Optional<Veto> veto(Pod pod, NodeState state, Optional<Hold> own);

    /**
     * A filter with the present devices that reads the snapshot, for one other thread at a time. Later changes do not
     * show in it. Called after every turn of the loop, so it must cost nothing.
     *
     * @param snapshot the present ledger
     */
    DeviceFilter publish(Snapshot snapshot);
}
