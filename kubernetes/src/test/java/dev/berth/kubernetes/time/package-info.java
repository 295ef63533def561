/** Time that tests push. */
@NullMarked
package dev.berth.kubernetes.time;

import org.jspecify.annotations.NullMarked;
