/** Pods that wait, and what ends their waiting, asked of a whole cluster. */
@NullMarked
package dev.berth.e2e.scenario.queueing;

import org.jspecify.annotations.NullMarked;
