/**
 * Scores: the formulas and weights of kube-scheduler 1.36 on plain numbers, {@link
 * dev.berth.core.placement.score.HoldScore} for holds, and {@link dev.berth.core.placement.score.TieBreak} for nodes of
 * equal score.
 */
@NullMarked
package dev.berth.core.placement.score;

import org.jspecify.annotations.NullMarked;
