/**
 * {@link dev.berth.engine.globalreserve.LocalReservePool}: the Reserve API in the process of the ledger. It runs each
 * request as a command of the loop. {@code dev.berth.core.door.globalreserve} has the way of a request hop by hop.
 */
@NullMarked
package dev.berth.engine.globalreserve;

import org.jspecify.annotations.NullMarked;
