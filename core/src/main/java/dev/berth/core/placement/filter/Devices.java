package dev.berth.core.placement.filter;

import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.Hold;
import dev.berth.core.ledger.NodeState;
import java.util.Optional;

/** Things on nodes that exist one by one and that some pods ask for. Belongs to the thread that owns the ledger. */
public interface Devices {
    /** There are none, and nobody asks for any. */
    Devices NONE = new Devices() {
        @Override
        public boolean wantedBy(Pod pod) {
            return false;
        }

        @Override
        public Optional<Veto> veto(Pod pod, NodeState state, Optional<Hold> own) {
            return Optional.empty();
        }
    };

    /** Whether the pod asks for any. Asked of every pod: must cost nothing. */
    boolean wantedBy(Pod pod);

    /**
     * Why the node cannot give the pod all that it asks for, together; empty when it can. Asked only of pods that want
     * something.
     *
     * @param own the hold that the pod would use there
     */
    Optional<Veto> veto(Pod pod, NodeState state, Optional<Hold> own);
}
