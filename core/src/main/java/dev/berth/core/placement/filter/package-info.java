/**
 * Filters, with kube-scheduler's rules: whether one node is feasible for one pod. A {@link
 * dev.berth.core.placement.filter.Veto} is the reason why a node is not feasible. Devices, volumes and inter-pod
 * constraints are interfaces that other packages implement.
 *
 * <p>The rules are in two places, because most pods are placed from a ranking of their equivalence class:
 *
 * <ul>
 *   <li>{@link dev.berth.core.placement.filter.NodeFilter} runs all filters on one node and returns the vetoes. It serves
 *       pods that cannot use a ranking, nodes with a matching hold, messages, preemption and the extender.
 *   <li>{@code placement/equivalence/ClassScorer.fits} filters nodes for a ranking: resources and host ports. It calls
 *       {@code placement/table/StaticNodeFilters} for taints, unschedulable nodes and node affinity. {@code
 *       interpodaffinity/InterPodConstraints} has inter-pod affinity and topology spread, for both.
 * </ul>
 *
 * <p>A change of a filter needs a change in both. {@code PlacerMatchesReferenceTest} compares both with the reference
 * implementation in {@code core/src/test}.
 */
@NullMarked
package dev.berth.core.placement.filter;

import org.jspecify.annotations.NullMarked;
