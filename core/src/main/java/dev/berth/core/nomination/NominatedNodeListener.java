package dev.berth.core.nomination;

import dev.berth.core.cluster.PodUid;

/** Follows what the {@link NominatedNodeWriter} does. */
public interface NominatedNodeListener {
    /** Does nothing. */
    NominatedNodeListener NONE = pod -> {};

    /** The writer reconciled the pod: it may have sent a write, or a wait may be over. */
    void onReconciled(PodUid pod);
}
