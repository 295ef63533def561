package dev.berth.client;

/**
 * The pool of capacity from which all schedulers reserve before they bind. The pool is in the same process or in a remote
 * Berth: callers see no difference. Safe from any thread. Calls wait for the response. A rejection is a response, not an
 * exception.
 */
public interface ReservePool {
    /**
     * Reserves a place for each pod of the group, or for none. A reserved place survives a restart of Berth. A second request
     * for a pod replaces the place that the same scheduler has reserved for it, even on a different node. An interrupted
     * caller does not know the outcome and should unreserve.
     */
    ReserveResponse reserve(ReserveRequest request) throws InterruptedException;

    /**
     * Releases what the requesting scheduler has reserved for the pods, on any node. Idempotent. The places of other
     * schedulers stay, and the response says so.
     */
    ReserveResponse unreserve(ReserveRequest request) throws InterruptedException;
}
