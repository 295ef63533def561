/** Berth at work on a cluster. */
@NullMarked
package dev.berth.app.run;

import org.jspecify.annotations.NullMarked;
