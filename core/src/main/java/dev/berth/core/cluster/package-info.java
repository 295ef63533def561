/** Immutable views of nodes and pods: what scheduling needs of them and nothing else. */
@NullMarked
package dev.berth.core.cluster;

import org.jspecify.annotations.NullMarked;
