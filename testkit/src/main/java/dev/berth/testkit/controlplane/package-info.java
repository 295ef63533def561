/**
 * A real Kubernetes control plane for tests: etcd, kube-apiserver and, where a test wants them,
 * kube-controller-manager and kube-scheduler, each a child process that ends with this JVM.
 */
@NullMarked
package dev.berth.testkit.controlplane;

import org.jspecify.annotations.NullMarked;
