/** How the door of return reads and writes: Deployments that ask, and Gödel's Reservations. */
@NullMarked
package dev.berth.kubernetes.door.comeback;

import org.jspecify.annotations.NullMarked;
