/** Preemption told as sentences and held against what it must never do. */
@NullMarked
package dev.berth.core.preemption;

import org.jspecify.annotations.NullMarked;
