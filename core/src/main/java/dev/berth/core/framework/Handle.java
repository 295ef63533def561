package dev.berth.core.framework;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.effect.Effect;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.Removals;
import dev.berth.core.placement.HoldUse;
import dev.berth.core.placement.filter.ClusterEventKind;
import dev.berth.core.placement.filter.Veto;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What a {@link Component} can read and do while it is called. */
public interface Handle {
    Instant now();

    LedgerView ledger();

    /** Whether Berth schedules the pods that name this scheduler. */
    boolean isResponsibleFor(String schedulerName);

    /**
     * Whether the time of this turn is used up. A component that reconciles many objects asks after each object. If the
     * answer is yes, it returns and is reconciled again in the next turn.
     */
    default boolean isOutOfTime() {
        return false;
    }

    /** Adds the hold to the ledger, or replaces it. */
    void putHold(Hold hold);

    /**
     * Puts the hold in place of another one if that takes no room that is used or held: no resource of the node gets
     * negative or more negative, and no host port is taken that a pod uses or another hold keeps. Otherwise changes nothing.
     *
     * @param before the hold that it replaces. It may have the same id, and it may not exist.
     * @return whether the hold is in the ledger now
     */
    boolean putHoldIfFits(Hold hold, HoldId before);

    /** Removes the hold from the ledger. Idempotent. */
    void releaseHold(HoldId hold);

    /** Adds an effect, which is sent after this turn. */
    void write(Effect effect);

    /** Moves an unschedulable pod back to the queue; its back-off still applies. */
    void requeue(PodUid pod);

    /** Storage changed: pods that were unschedulable because of it are requeued. */
    void notifyStorageChanged(ClusterEventKind clusterEventKind, Set<PodUid> pods);

    /** Sends a bind that waited for PreBind. */
    void releaseBind(PodUid pod);

    /**
     * PreBind failed: the pod is no longer assumed, and is scheduled again. Idempotent.
     *
     * @param message what the pod's status says about it; empty for nothing
     */
    void failBind(PodUid pod, Optional<String> message);

    /**
     * Ends the assumption of a pod whose bind waits for PreBind, whichever plugin it waits for. The pod is scheduled again.
     *
     * @param message what the pod's status says about it
     * @return whether there was such a pod
     */
    boolean abortBind(PodUid pod, String message);

    /** Why the node is not feasible for the pod; empty when it is, or when there is no such node. */
    List<Veto> vetoes(Pod pod, String node, HoldUse use);

    /** Why the node would not be feasible even without these pods and holds; empty when it would, or when there is no such node. */
    List<Veto> vetoesWithout(Pod pod, String node, Removals removals);

    /**
     * The hold that the pod would use on the node without these pods and holds; empty when it would use none, or when the
     * node would not be feasible.
     */
    Optional<HoldId> holdUsedWithout(Pod pod, String node, Removals removals);
}
