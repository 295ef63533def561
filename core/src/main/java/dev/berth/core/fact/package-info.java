/**
 * Changes of objects as values, as the API server shows them. The informers publish facts, and the scheduler applies
 * them to the ledger.
 */
@NullMarked
package dev.berth.core.fact;

import org.jspecify.annotations.NullMarked;
