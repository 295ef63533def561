/** What becomes of nodes that fall silent, of the pods on them, and of pods whose node is gone. */
@NullMarked
package dev.berth.sandbox.controller.nodelifecycle;

import org.jspecify.annotations.NullMarked;
