/**
 * The door for other schedulers: before they bind a group of pods they have its places kept, all or none. What is kept is
 * durable as a StoredHold object of Berth's own.
 */
@NullMarked
package dev.berth.core.door.globalreserve;

import org.jspecify.annotations.NullMarked;
