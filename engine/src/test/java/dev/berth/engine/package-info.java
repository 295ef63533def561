/** The loop turned by hand, against an API server that misbehaves on demand. */
@NullMarked
package dev.berth.engine;

import org.jspecify.annotations.NullMarked;
