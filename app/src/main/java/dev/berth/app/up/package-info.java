/** A Kubernetes in a box: API server, controllers, nodes and Berth in one process. */
@NullMarked
package dev.berth.app.up;

import org.jspecify.annotations.NullMarked;
