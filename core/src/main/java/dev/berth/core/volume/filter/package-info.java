/** Which nodes can give a pod the volumes that it mounts, by kube-scheduler's rules. */
@NullMarked
package dev.berth.core.volume.filter;

import org.jspecify.annotations.NullMarked;
