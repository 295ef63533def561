package dev.berth.core.door.globalreserve;

/** The caller of a reserve request. */
@FunctionalInterface
public interface ReserveCallback {
    /**
     * Receives the response. A success comes once the StoredHold is stored. A rejection comes at once, or when no
     * resources are about to be released on the requested nodes.
     *
     * @return whether the caller still waited for it; if not, the places are released
     */
    boolean onResponse(ReserveResponse response);
}
