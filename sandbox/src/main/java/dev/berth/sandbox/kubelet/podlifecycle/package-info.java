/** The lifecycle of a pod as a computation without I/O: annotations and time determine the state and the status. */
@NullMarked
package dev.berth.sandbox.kubelet.podlifecycle;

import org.jspecify.annotations.NullMarked;
