/**
 * A whole cluster on one thread: the embedded API server, its controllers and kubelets, and Berth, with a clock that is
 * pushed and dice with a seed. The same seed gives the same history, so any failure can be replayed.
 */
@NullMarked
package dev.berth.testkit.simulation;

import org.jspecify.annotations.NullMarked;
