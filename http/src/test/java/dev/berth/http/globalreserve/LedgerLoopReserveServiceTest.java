package dev.berth.http.globalreserve;

import dev.berth.core.door.globalreserve.ReservePool;

/** The pool in the process of the ledger. */
final class LocalReservePoolTest extends ReservePoolContract {
    @Override
    ReservePool open(FakeReserveCluster opened) {
        return opened.pool();
    }
}
