/** What must be true of every ledger, at any moment and from one to the next. */
@NullMarked
package dev.berth.core.invariant;

import org.jspecify.annotations.NullMarked;
