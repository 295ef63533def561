/**
 * Filters, with kube-scheduler's rules: whether one node is feasible for one pod. {@link
 * dev.berth.core.placement.filter.NodeFilter} runs them all, and a {@link dev.berth.core.placement.filter.Veto} is the
 * reason why a node is not feasible. Devices, volumes and inter-pod constraints are interfaces that other packages
 * implement.
 */
@NullMarked
package dev.berth.core.placement.filter;

import org.jspecify.annotations.NullMarked;
