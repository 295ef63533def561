/** A small client of the Kubernetes API over JSON trees, for the simulated kubelets and the workload controllers. */
@NullMarked
package dev.berth.sandbox.client;

import org.jspecify.annotations.NullMarked;
