package dev.berth.http.globalreserve;

import dev.berth.core.door.globalreserve.ReserveService;

/** The pool in the process of the ledger. */
final class LedgerLoopReserveServiceTest extends ReserveServiceContract {
    @Override
    ReserveService open(FakeReserveCluster opened) {
        return opened.pool();
    }
}
