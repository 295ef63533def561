/** What becomes of nodes that fall silent, of the pods on them, and of pods whose node is gone. */
@NullMarked
package dev.berth.embedded.workload.node;

import org.jspecify.annotations.NullMarked;
