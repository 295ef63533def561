/** Whether a pod fits a node, as a kubelet sees it when the pod arrives: room, ports, labels and taints. */
@NullMarked
package dev.berth.embedded.kubelet.fit;

import org.jspecify.annotations.NullMarked;
