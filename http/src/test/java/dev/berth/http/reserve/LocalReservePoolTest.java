package dev.berth.http.reserve;

import dev.berth.core.door.reserve.ReservePool;

/** The pool in the process of the ledger. */
final class LocalReservePoolTest extends ReservePoolContract {
    @Override
    ReservePool open(KeepingCluster opened) {
        return opened.pool();
    }
}
