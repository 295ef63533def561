/** Runs controllers and kubelets step by step on one thread. */
@NullMarked
package dev.berth.sandbox.client.eventloop;

import org.jspecify.annotations.NullMarked;
