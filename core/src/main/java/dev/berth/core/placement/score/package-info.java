/**
 * Scores: the formulas and weights of kube-scheduler 1.36 on plain numbers, {@link
 * dev.berth.core.placement.score.HoldFillScore} for the holds of one node, and {@link
 * dev.berth.core.placement.score.TieBreak} for nodes of equal score.
 *
 * <p>The total score of a node is the sum of three parts. {@code placement/equivalence} computes and adds them:
 *
 * <ul>
 *   <li>{@code ClassScorer}: the scores that depend on the node alone, which are resources and image locality
 *   <li>{@code ScoreBuckets}: the scores that are normalized over all nodes, which are taints, preferred node affinity and
 *       default spread
 *   <li>{@code InterPodConstraints}: preferred inter-pod affinity and topology spread, if the pod has any
 * </ul>
 *
 * <p>{@code ScoreBucket.total} adds the first two. {@code ScoreBuckets} calls it for rankings of nodes and {@code FullScan},
 * {@code HoldRanking} for nodes with matching holds. {@code AffinityScan} and {@code Shortlist} also add the third.
 */
@NullMarked
package dev.berth.core.placement.score;

import org.jspecify.annotations.NullMarked;
