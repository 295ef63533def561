/** Berth, kube-scheduler and the bare API server side by side, on a real control plane, each as a separate process. */
@NullMarked
package dev.berth.bench.cluster;

import org.jspecify.annotations.NullMarked;
