/** Tests of preemption, and of what it must never do. */
@NullMarked
package dev.berth.core.preemption;

import org.jspecify.annotations.NullMarked;
