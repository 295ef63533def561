/** Which nodes a pod may be on at all, asked of a whole cluster. */
@NullMarked
package dev.berth.app.scenario.filters;

import org.jspecify.annotations.NullMarked;
