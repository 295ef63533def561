/** The ReplicaSet controller: keeps as many pods of one template as asked for. */
@NullMarked
package dev.berth.embedded.workload.replicaset;

import org.jspecify.annotations.NullMarked;
