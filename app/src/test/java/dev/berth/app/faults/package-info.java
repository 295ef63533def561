/** Berth as a whole when the world around it breaks: afterwards nothing is lost, doubled or forgotten. */
@NullMarked
package dev.berth.app.faults;

import org.jspecify.annotations.NullMarked;
