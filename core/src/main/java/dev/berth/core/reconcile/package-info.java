/** Brings API objects to what they should be: one policy for conflicts, denials, missing objects and lost answers. */
@NullMarked
package dev.berth.core.reconcile;

import org.jspecify.annotations.NullMarked;
