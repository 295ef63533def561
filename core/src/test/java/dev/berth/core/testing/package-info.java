/** What tests say: nodes, pods and holds in words, with everything that does not matter left out, and a clock that is pushed. */
@NullMarked
package dev.berth.core.testing;

import org.jspecify.annotations.NullMarked;
