/** Berth's own Hold objects on the wire, and pods as callers of the Reserve API send them. */
@NullMarked
package dev.berth.kubernetes.door.reserve;

import org.jspecify.annotations.NullMarked;
