/** A pod's life on its node as pure reckoning: what its instructions and the time make of it, and the status that tells so. */
@NullMarked
package dev.berth.sandbox.kubelet.podlifecycle;

import org.jspecify.annotations.NullMarked;
