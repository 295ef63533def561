/** Which nodes a pod may be on at all, asked of a whole cluster. */
@NullMarked
package dev.berth.e2e.scenario.filters;

import org.jspecify.annotations.NullMarked;
