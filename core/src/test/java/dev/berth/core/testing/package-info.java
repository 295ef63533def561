/** Builders of nodes, pods and holds with defaults for everything that does not matter, and a manual clock. */
@NullMarked
package dev.berth.core.testing;

import org.jspecify.annotations.NullMarked;
