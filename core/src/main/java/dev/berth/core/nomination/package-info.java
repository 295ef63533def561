/**
 * The one writer of {@code status.nominatedNodeName}. Preemption and volume binding both nominate nodes, and two writers of
 * one field would overwrite each other.
 */
@NullMarked
package dev.berth.core.nomination;

import org.jspecify.annotations.NullMarked;
