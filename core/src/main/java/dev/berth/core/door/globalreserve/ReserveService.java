package dev.berth.core.door.globalreserve;

/**
 * The pool of resources from which all schedulers reserve before they bind. The pool may be in the same process or
 * remote: callers see no difference. Safe for use by any thread. Calls block until the response arrives. A rejection is
 * a response, not an exception.
 */
public interface ReservePool {
    /**
     * Reserves a place for each pod of the group, or for none. A successful response means that the places survive a
     * restart of Berth. A second request for a pod replaces the earlier place of the same scheduler, even on a
     * different node. A rejected group has no places, unless the response says otherwise. An interrupted caller does
     * not know the outcome and should unreserve.
     */
    ReserveResponse reserve(ReserveRequest request) throws InterruptedException;

    /**
     * Releases what the requesting scheduler has reserved for the pods, on any node. Idempotent. Reservations of other
     * schedulers stay, and the response says so.
     */
    ReserveResponse unreserve(ReserveRequest request) throws InterruptedException;
}
