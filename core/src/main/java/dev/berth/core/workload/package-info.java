/** Services and workloads, and the pods that are theirs. */
@NullMarked
package dev.berth.core.workload;

import org.jspecify.annotations.NullMarked;
