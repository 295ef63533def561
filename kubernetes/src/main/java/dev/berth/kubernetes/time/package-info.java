/** Things to be done later, on a thread that is known. */
@NullMarked
package dev.berth.kubernetes.time;

import org.jspecify.annotations.NullMarked;
