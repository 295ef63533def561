/** {@code berth up}: a sandbox cluster with API server, controllers, simulated nodes and Berth in one process. */
@NullMarked
package dev.berth.up;

import org.jspecify.annotations.NullMarked;
