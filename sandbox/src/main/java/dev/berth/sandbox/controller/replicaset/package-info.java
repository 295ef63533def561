/** The ReplicaSet controller: keeps the number of pods of one template. */
@NullMarked
package dev.berth.sandbox.controller.replicaset;

import org.jspecify.annotations.NullMarked;
