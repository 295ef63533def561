/** How well a node suits a pod: the formulas and weights of kube-scheduler 1.36, on plain numbers. */
@NullMarked
package dev.berth.core.placement.score;

import org.jspecify.annotations.NullMarked;
