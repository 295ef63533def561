/**
 * Holds: resources of a node that are held for pods that do not exist yet. {@link dev.berth.core.hold.Hold} is the
 * value, {@link dev.berth.core.hold.OwnerRule} decides which pods may use it, and {@link dev.berth.core.hold.Claim} is
 * its use by a pod. {@link dev.berth.core.hold.Origin} lists the doors and plugins that put holds.
 */
@NullMarked
package dev.berth.core.hold;

import org.jspecify.annotations.NullMarked;
