/**
 * Inter-pod affinity and anti-affinity. Existing pods are counted by slot, for the selectors of terms ({@code
 * SelectorCounts}) and for the terms that pods have ({@code AffinityTermIndex}). {@link
 * dev.berth.core.placement.interpodaffinity.InterPodIndex} computes the constraints of one pod from these counts in
 * O(nodes), not O(pods).
 */
@NullMarked
package dev.berth.core.placement.interpodaffinity;

import org.jspecify.annotations.NullMarked;
