/** The pods that wait to be placed: who is next, who backs off, and what would have to happen for the others. */
@NullMarked
package dev.berth.core.queue;

import org.jspecify.annotations.NullMarked;
