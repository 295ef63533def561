/**
 * Simulated kubelets: nodes that register, report and run pods without running anything. What they do they are told by
 * the API objects alone.
 *
 * <p>A Node with the annotation {@code simulate.berth.dev/kubelet: "true"} has a simulated kubelet; the nodes made by
 * {@link dev.berth.sandbox.kubelet.SimulatedKubelets} carry it, and so can one made by hand. Further annotations of a
 * Node:
 *
 * <ul>
 *   <li>{@code simulate.berth.dev/ready: "false"}: reports that it is not ready;
 *   <li>{@code simulate.berth.dev/ready: "silent"}: reports nothing and does nothing, as if its machine were gone.
 * </ul>
 *
 * <p>Annotations of a Pod; times are written like {@code 5s}, {@code 1m30s} or {@code 250ms}:
 *
 * <ul>
 *   <li>{@code simulate.berth.dev/start-after}: how long its containers take to start;
 *   <li>{@code simulate.berth.dev/ready-after}: how long after that it becomes ready; {@code never} is possible;
 *   <li>{@code simulate.berth.dev/exit-after}: how long its containers run before they end by themselves;
 *   <li>{@code simulate.berth.dev/exit-code}: with which code they end then, 0 unless told;
 *   <li>{@code simulate.berth.dev/stop-after}: how long they take to stop when the pod is deleted; cut off at its grace;
 *   <li>{@code simulate.berth.dev/fail}: the pod fails at once, with this reason.
 * </ul>
 */
@NullMarked
package dev.berth.sandbox.kubelet;

import org.jspecify.annotations.NullMarked;
