/**
 * Filters, with kube-scheduler's rules: whether one node is feasible for one pod. A {@link
 * dev.berth.core.placement.filter.Veto} is the reason why a node is not feasible. Components add filters as a
 * {@link dev.berth.core.placement.filter.FilterPlugin}: volume binding and the door devices. A pod that such a plugin
 * applies to is not placed from a ranking.
 *
 * <p>The rules have two callers, because most pods are placed from a ranking of their equivalence class:
 *
 * <ul>
 *   <li>{@link dev.berth.core.placement.filter.NodeFilter} runs all filters on one node and returns the vetoes. It serves
 *       pods that cannot use a ranking, nodes with a matching hold, messages, preemption and the extender.
 *   <li>{@code placement/equivalence/ClassScorer.fits} filters nodes for a ranking: resources and host ports. It calls
 *       {@code placement/table/StaticNodeFilters} for taints, unschedulable nodes and node affinity.
 * </ul>
 *
 * <p>Both use {@link dev.berth.core.placement.filter.NodePlugins}, {@link dev.berth.core.placement.filter.NodePorts} and
 * {@code interpodaffinity/InterPodConstraints}. Resources are compared in {@link
 * dev.berth.core.placement.filter.NodeResourcesFit}, and for a ranking in {@code ClassScorer.fits} again: it reads columns
 * of numbers instead of the resources of a node. {@code PlacerMatchesReferenceTest} compares both callers with the
 * reference implementation in {@code core/src/test}.
 */
@NullMarked
package dev.berth.core.placement.filter;

import org.jspecify.annotations.NullMarked;
