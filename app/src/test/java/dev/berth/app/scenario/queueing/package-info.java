/** Pods that wait, and what ends their waiting, asked of a whole cluster. */
@NullMarked
package dev.berth.app.scenario.queueing;

import org.jspecify.annotations.NullMarked;
