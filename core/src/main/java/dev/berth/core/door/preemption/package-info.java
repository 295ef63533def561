/** Pods of more priority take the place of others: whose, what is kept for them meanwhile, and how the others are sent away. */
@NullMarked
package dev.berth.core.door.preemption;

import org.jspecify.annotations.NullMarked;
