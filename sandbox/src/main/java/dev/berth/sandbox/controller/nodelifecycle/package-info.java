/** Node lifecycle: nodes without heartbeats, taint eviction, and pods whose node is deleted. */
@NullMarked
package dev.berth.sandbox.controller.nodelifecycle;

import org.jspecify.annotations.NullMarked;
