/** Messages for users: why a pod is unschedulable, which nodes are over-committed, which annotations are invalid. */
@NullMarked
package dev.berth.core.reporting;

import org.jspecify.annotations.NullMarked;
