/**
 * The fast path of placement: for each class of pods the nodes in the order of their scores, repaired from what changed.
 * Single-threaded like the ledger it follows.
 */
@NullMarked
package dev.berth.core.placement.equivalence;

import org.jspecify.annotations.NullMarked;
