/** Objects of the API server as they arrive, whatever language they are written in. */
@NullMarked
package dev.berth.kubernetes.cursor;

import org.jspecify.annotations.NullMarked;
