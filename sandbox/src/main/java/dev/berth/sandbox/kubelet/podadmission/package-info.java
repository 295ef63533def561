/** Whether a pod fits a node, as a kubelet sees it when the pod arrives: room, ports, labels and taints. */
@NullMarked
package dev.berth.sandbox.kubelet.podadmission;

import org.jspecify.annotations.NullMarked;
