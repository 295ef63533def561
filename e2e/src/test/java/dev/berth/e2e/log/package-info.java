/** The log of a Berth that runs. */
@NullMarked
package dev.berth.e2e.log;

import org.jspecify.annotations.NullMarked;
