/**
 * The fast path of placement: for each equivalence class of pods a cached ranking of the nodes, updated from change
 * logs. {@link dev.berth.core.placement.equivalence.LedgerIndex} follows the ledger, {@link
 * dev.berth.core.placement.equivalence.NodeRankings} ranks nodes by free resources, and {@link
 * dev.berth.core.placement.equivalence.HoldRankings} ranks nodes with matching holds. Owned by the thread that owns the
 * ledger.
 */
@NullMarked
package dev.berth.core.placement.equivalence;

import org.jspecify.annotations.NullMarked;
