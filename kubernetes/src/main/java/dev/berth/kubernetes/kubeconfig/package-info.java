/** How to reach an API server and be known to it: from a kubeconfig file, or from inside a pod. */
@NullMarked
package dev.berth.kubernetes.kubeconfig;

import org.jspecify.annotations.NullMarked;
