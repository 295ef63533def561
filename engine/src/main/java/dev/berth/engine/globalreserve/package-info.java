/**
 * The Reserve API in the process of the ledger. {@link dev.berth.engine.globalreserve.LedgerLoopReserveService} runs each
 * request as a command of the loop. {@link dev.berth.engine.globalreserve.LocalReservePool} gives it the interface of the
 * Java client. {@code dev.berth.core.door.globalreserve} has the way of a request hop by hop.
 */
@NullMarked
package dev.berth.engine.globalreserve;

import org.jspecify.annotations.NullMarked;
