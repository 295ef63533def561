package dev.berth.core.nomination;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.framework.Handle;

/** Follows what the {@link NominatedNodeWriter} does. */
public interface NominatedNodeListener {
    /** Does nothing. */
    NominatedNodeListener NONE = new NominatedNodeListener() {
        @Override
        public void onReconciled(PodUid pod) {}

        @Override
        public void onWriteResult(SetNominatedNode write, WriteResult writeResult, Handle handle) {}
    };

    /** The writer reconciled the pod: it may have sent a write, or a wait may be over. */
    void onReconciled(PodUid pod);

    void onWriteResult(SetNominatedNode write, WriteResult writeResult, Handle handle);
}
