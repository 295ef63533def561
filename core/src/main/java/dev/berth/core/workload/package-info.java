/**
 * {@link dev.berth.core.workload.WorkloadIndex}: finds the Services that select a pod and the workload that controls
 * it. Default topology spread constraints use their selectors.
 */
@NullMarked
package dev.berth.core.workload;

import org.jspecify.annotations.NullMarked;
