/** Validation of workloads: Deployments, ReplicaSets, StatefulSets, DaemonSets, Jobs and related kinds. */
@NullMarked
package dev.berth.sandbox.validation.workload;

import org.jspecify.annotations.NullMarked;
