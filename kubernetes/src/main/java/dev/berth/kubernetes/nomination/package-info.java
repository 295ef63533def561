/** How a pod's nominated node is written. */
@NullMarked
package dev.berth.kubernetes.nomination;

import org.jspecify.annotations.NullMarked;
