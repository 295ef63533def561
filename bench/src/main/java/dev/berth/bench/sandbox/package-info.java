/** The number of requests that the sandbox API server answers in a second, over HTTPS with a watcher. */
@NullMarked
package dev.berth.bench.sandbox;

import org.jspecify.annotations.NullMarked;
