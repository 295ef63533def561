/**
 * What pods are to each other: whom a pod must be near, apart from or spread among, and who has something against it or
 * likes it. Counts of pods are kept by slot and repaired from what changed; what they mean to one pod is worked out from
 * them in time that grows with the nodes, not with the pods.
 */
@NullMarked
package dev.berth.core.placement.interpodaffinity;

import org.jspecify.annotations.NullMarked;
