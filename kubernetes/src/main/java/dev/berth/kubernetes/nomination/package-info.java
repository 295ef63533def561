/** Writes {@code status.nominatedNodeName} of pods. */
@NullMarked
package dev.berth.kubernetes.nomination;

import org.jspecify.annotations.NullMarked;
