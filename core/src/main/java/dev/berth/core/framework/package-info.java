/**
 * The extension points of the scheduler, with kube-scheduler's names, and what doors and plugins have in common.
 *
 * <p>A decision about a pod passes through these, in this order:
 *
 * <ol>
 *   <li>PreFilter and Filter: {@link dev.berth.core.placement.filter.FilterPlugin}, implemented by {@code
 *       volumebinding/prebind/VolumeBinding.java} and {@code door/devices/DeviceDoor.java}. {@code Placer.java} gets the
 *       plugins as a list and {@code NodeFilter.java} runs them. The interface is with placement, because this package
 *       depends on placement. Every other filter is part of placement and is no extension point.
 *   <li>Score is part of placement too ({@code core/placement/score}): no component can implement it.
 *   <li>{@link dev.berth.core.framework.PostFilterPlugin} if no node is feasible: {@code preemption/DefaultPreemption.java}.
 *   <li>{@link dev.berth.core.framework.ReservePlugin} if the pod is placed: {@code door/devices/DeviceDoor.java}. The
 *       ledger then assumes the pod.
 *   <li>{@link dev.berth.core.framework.PreBindPlugin}: {@code volumebinding/prebind/VolumeBinding.java}. The bind waits
 *       until the plugin releases it.
 * </ol>
 *
 * <p>{@code scheduling/Scheduler.java} calls placement and PostFilter, {@code scheduling/BindingCycle.java} the rest, both
 * through {@code scheduling/ExtensionPoints.java}.
 *
 * <p>A {@link dev.berth.core.framework.Component} is what the scheduler calls with facts, write results and time: a door
 * ({@code core/door}) or a {@link dev.berth.core.framework.Plugin}. It may also listen to pods ({@link
 * dev.berth.core.framework.PodListener}), nodes ({@link dev.berth.core.framework.NodeListener}) and workloads ({@link
 * dev.berth.core.framework.WorkloadListener}), and it may implement extension points. {@code
 * scheduling/ComponentDispatcher.java} calls the components. What a component may do during a call is its {@link
 * dev.berth.core.framework.Handle}.
 */
@NullMarked
package dev.berth.core.framework;

import org.jspecify.annotations.NullMarked;
