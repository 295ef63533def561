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

/**
 * What a {@link Component} can read and do while it is called. A component reads all holds, but changes only its own: a
 * call that would change a hold of another component throws an {@link IllegalArgumentException} and changes nothing.
 */
public interface Handle {
    Instant now();

    LedgerView ledger();

    /** Whether Berth schedules the pods that name this scheduler. */
    boolean isResponsibleFor(String schedulerName);

    /**
     * Whether the time of this turn is used up. A component that reconciles many objects checks this after each object.
     * If it is true, the component returns and is reconciled again in the next turn.
     */
    default boolean isOutOfTime() {
        return false;
    }

    /** Adds the hold to the ledger, or replaces it. */
    void putHold(Hold hold);

    /**
     * Replaces a hold by this one if that takes no resources that are used or held. No resource of the node becomes
     * negative or more negative. No host port is taken that a pod uses or a different hold needs. Otherwise changes
     * nothing.
     *
     * @param before the component's own hold to replace. It may have the same id, and it may not exist.
     * @return whether the hold is in the ledger now
     */
    boolean putHoldIfFits(Hold hold, HoldId before);

    /** Removes the component's own hold from the ledger. Idempotent. */
    void releaseHold(HoldId hold);

    /** Adds an effect, which is sent after this turn. */
    void write(Effect effect);

    /** Moves an unschedulable pod back to the queue; its back-off still applies. */
    void requeue(PodUid pod);

    /** Storage changed: pods that were unschedulable because of it are requeued. */
    void notifyStorageChanged(ClusterEventKind clusterEventKind, Set<PodUid> pods);

    /** The placement requests whose pods mount the claim. */
    Set<PodUid> requestsMounting(String namespace, String claim);

    /** Sends a bind that waited for PreBind. */
    void releaseBind(PodUid pod);

    /**
     * PreBind failed: the pod is no longer assumed, and is scheduled again. Idempotent.
     *
     * @param message the message for the pod's status; empty for none
     */
    void failBind(PodUid pod, Optional<String> message);

    /**
     * Forgets an assumed pod whose bind waits for PreBind of any plugin. The pod is scheduled again.
     *
     * @param message the message for the pod's status
     * @return whether there was such a pod
     */
    boolean abortBind(PodUid pod, String message);

    /** The placement request of this UID, if it may preempt pods. */
    Optional<PreemptingRequest> findPreemptingRequest(PodUid uid);

    /**
     * Records in the object of a preempting request that the node is nominated. Does nothing if the request ended.
     *
     * @param node empty to remove the record
     * @param victims the pods that are evicted for the request
     */
    void setNominatedNode(PodUid request, String node, List<Pod> victims);

    /** The record in the object of a preempting request may stay as it is. */
    void cancelNominatedNode(PodUid request);

    /** How the pod or placement request uses holds: a placement request uses none. */
    HoldUse holdUse(PodUid pod);

    /** Why the node is not feasible for the pod; empty if it is feasible, or if the node does not exist. */
    List<Veto> vetoes(Pod pod, String node, HoldUse use);

    /**
     * Why the node would not be feasible even without these pods and holds; empty if it would be, or if the node does
     * not exist.
     */
    List<Veto> vetoesWithout(Pod pod, String node, Removals removals);

    /**
     * The hold that the pod would use on the node without these pods and holds. Empty if it would use none, or if the
     * node would not be feasible.
     */
    Optional<HoldId> holdUsedWithout(Pod pod, String node, Removals removals);
}
