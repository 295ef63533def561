/** Holds inside holds: pods that preempt, return and finish where a reservation keeps their room. */
@NullMarked
package dev.berth.e2e.pages.draws;

import org.jspecify.annotations.NullMarked;
