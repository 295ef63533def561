package dev.berth.core.door.globalreserve;

/**
 * The one pool of room that all schedulers take from before they bind. In the process of the ledger or far away: who
 * asks cannot tell. Safe from any thread; calls wait for their answer, which never is an exception for what the request
 * or the cluster is like.
 */
public interface ReservePool {
    /**
     * Keeps a place for each pod of the group, or for none. What is answered as reserved outlives Berth's process. Asking
     * again for a pod replaces what the same scheduler had kept for it, be it on another node. What is refused is not kept, unless the answer
     * says otherwise; who is interrupted does not know, and gives it back to be sure.
     */
    ReserveResponse reserve(ReserveRequest request) throws InterruptedException;

    /**
     * Gives back what the scheduler that asks has reserved for the pods, whatever node is named. The second time changes
     * nothing. What another scheduler reserved stays, and the answer says so.
     */
    ReserveResponse unreserve(ReserveRequest request) throws InterruptedException;
}
