package dev.berth.core.door.globalreserve;

/**
 * What the Reserve API does for a scheduler: the HTTP handlers and the Java pool call it. Safe from any thread. Calls wait for
 * the response. A rejection is a response, not an exception.
 */
public interface ReserveService {
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
