/** The invariants of the ledger. Simulations and tests check them on snapshots after every step. */
@NullMarked
package dev.berth.core.invariant;

import org.jspecify.annotations.NullMarked;
