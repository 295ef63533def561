/** Where a pod can go, and the reasons for every node refused. */
@NullMarked
package dev.berth.core.placement;

import org.jspecify.annotations.NullMarked;
