/** How fast the engine decides where pods go, and how much memory a large cluster takes. */
@NullMarked
package dev.berth.bench.placement;

import org.jspecify.annotations.NullMarked;
