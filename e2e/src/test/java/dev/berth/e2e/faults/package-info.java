/** Berth as a whole when the world around it breaks: afterwards nothing is lost, doubled or forgotten. */
@NullMarked
package dev.berth.e2e.faults;

import org.jspecify.annotations.NullMarked;
