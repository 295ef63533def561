/**
 * Writes API objects until they are as desired. {@link dev.berth.core.reconcile.ObjectController} is the common
 * mechanism of all doors, {@link dev.berth.core.reconcile.Reconciler} sends the writes, and {@link
 * dev.berth.core.reconcile.RetryPolicy} decides what follows conflicts, denials, missing objects and lost responses.
 * {@link dev.berth.core.reconcile.HoldsByObject} remembers which holds belong to which object.
 */
@NullMarked
package dev.berth.core.reconcile;

import org.jspecify.annotations.NullMarked;
