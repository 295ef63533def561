/** Berth beside kube-scheduler and beside the bare API server, on a real control plane, each as a process of its own. */
@NullMarked
package dev.berth.bench.cluster;

import org.jspecify.annotations.NullMarked;
