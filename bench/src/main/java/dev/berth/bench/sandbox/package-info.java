/** How many requests the embedded API server answers in a second, over HTTPS with a watcher attached. */
@NullMarked
package dev.berth.bench.sandbox;

import org.jspecify.annotations.NullMarked;
