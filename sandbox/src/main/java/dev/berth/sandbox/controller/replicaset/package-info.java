/** The ReplicaSet controller: keeps as many pods of one template as asked for. */
@NullMarked
package dev.berth.sandbox.controller.replicaset;

import org.jspecify.annotations.NullMarked;
