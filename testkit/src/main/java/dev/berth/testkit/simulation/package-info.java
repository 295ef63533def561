/**
 * A whole cluster on one thread: the sandbox API server, its controllers and kubelets, and Berth, with a manual clock
 * and a seeded random generator. The same seed gives the same history, so every failure can be replayed.
 */
@NullMarked
package dev.berth.testkit.simulation;

import org.jspecify.annotations.NullMarked;
