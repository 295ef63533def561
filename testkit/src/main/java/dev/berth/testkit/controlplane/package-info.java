/**
 * A real Kubernetes control plane for tests: etcd, kube-apiserver and, if a test needs them, kube-controller-manager
 * and kube-scheduler. Each is a child process that ends with this JVM.
 */
@NullMarked
package dev.berth.testkit.controlplane;

import org.jspecify.annotations.NullMarked;
