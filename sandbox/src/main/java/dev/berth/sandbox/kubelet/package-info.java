/**
 * Simulated kubelets: nodes that register, report their status and simulate pods without containers. Their behaviour
 * depends on API objects only.
 *
 * <p>A Node with the annotation {@code simulate.berth.dev/kubelet: "true"} has a simulated kubelet; the nodes made by
 * {@link dev.berth.sandbox.kubelet.SimulatedKubelets} have it, and a user-created node may have it. More annotations of a
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
 *   <li>{@code simulate.berth.dev/exit-after}: how long its containers run before they exit;
 *   <li>{@code simulate.berth.dev/exit-code}: their exit code, 0 by default;
 *   <li>{@code simulate.berth.dev/stop-after}: how long they take to stop, at most the grace period;
 *   <li>{@code simulate.berth.dev/fail}: the pod fails at once, with this reason.
 * </ul>
 */
@NullMarked
package dev.berth.sandbox.kubelet;

import org.jspecify.annotations.NullMarked;
