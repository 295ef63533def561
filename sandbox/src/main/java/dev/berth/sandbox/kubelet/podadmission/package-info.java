/** Pod admission by the kubelet: resources, host ports, node affinity and taints. */
@NullMarked
package dev.berth.sandbox.kubelet.podadmission;

import org.jspecify.annotations.NullMarked;
