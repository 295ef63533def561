/**
 * The one account of what pods use and what is held on every node.
 *
 * <p>{@link dev.berth.core.ledger.Ledger} takes facts in and answers questions. {@code PodAssignments} knows which pod is
 * bound to or assumed on which node. {@code NodeAccounts} has one {@code NodeAccount} for each node, and {@code NodeHolds}
 * the holds of a node. The resources of holds are computed in three stages: {@code ClaimResolver} (which pod uses which
 * hold), {@code BackerCredits} (whose resources count for which hold) and {@code DrawAllocator} (what holds take from other
 * holds); {@code HoldAccounting} runs them. Readers use {@link dev.berth.core.ledger.LedgerView}: the ledger itself, a
 * {@link dev.berth.core.ledger.Snapshot}, or a {@code SimulatedLedger} without some pods and holds. Indexes over the ledger
 * follow its {@code ChangeLog} with a {@link dev.berth.core.ledger.LedgerCursor}.
 */
@NullMarked
package dev.berth.core.ledger;

import org.jspecify.annotations.NullMarked;
