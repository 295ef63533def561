/**
 * The scheduling queue: active pods, pods in back-off, and unschedulable pods with the queueing hints that requeue
 * them. {@link dev.berth.core.queue.SchedulingQueue} is the queue, {@link dev.berth.core.queue.ClusterEvent} is what
 * may requeue a pod.
 */
@NullMarked
package dev.berth.core.queue;

import org.jspecify.annotations.NullMarked;
