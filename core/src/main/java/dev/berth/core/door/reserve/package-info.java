/**
 * The door for other schedulers: before they bind a group of pods they have its places kept, all or none. What is kept is
 * durable as a Hold object of Berth's own.
 */
@NullMarked
package dev.berth.core.door.reserve;

import org.jspecify.annotations.NullMarked;
