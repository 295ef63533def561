/**
 * Placement: finds a node for a pod, and the reasons of every node that is not feasible. {@link
 * dev.berth.core.placement.Placer} is the entry point and {@code ProfilePlacer} places the pods of one profile. {@code
 * HoldChooser} prefers nodes with matching holds, {@code NodeChooser} uses free resources, and {@code Diagnoser}
 * explains refusals. Sub-packages: {@code filter} and {@code score} with kube-scheduler's rules, {@code equivalence}
 * with the cached rankings of nodes.
 */
@NullMarked
package dev.berth.core.placement;

import org.jspecify.annotations.NullMarked;
