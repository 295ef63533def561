/**
 * The fast path of placement: nodes as rows of numbers, and for each shape of pod the nodes in the order of their scores,
 * repaired from what changed. Single-threaded like the ledger it mirrors.
 */
@NullMarked
package dev.berth.core.placement.shape;

import org.jspecify.annotations.NullMarked;
