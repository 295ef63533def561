/** What comes between a decision and its bind, or changes on the way, asked of a whole cluster. */
@NullMarked
package dev.berth.e2e.scenario.inflight;

import org.jspecify.annotations.NullMarked;
