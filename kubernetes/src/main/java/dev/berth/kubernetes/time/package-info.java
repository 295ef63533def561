/**
 * Clocks, timers and times: {@link dev.berth.kubernetes.time.Clocks} and {@link dev.berth.kubernetes.time.TaskTimer}
 * for testable time, {@link dev.berth.kubernetes.time.ServerTimeEstimate} for the API server's clock, and the time
 * formats of Kubernetes.
 */
@NullMarked
package dev.berth.kubernetes.time;

import org.jspecify.annotations.NullMarked;
