/** What wakes a pod that was refused, and what does not. */
@NullMarked
package dev.berth.core.scheduling;

import org.jspecify.annotations.NullMarked;
