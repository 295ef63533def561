/**
 * Writes effects to the API server: binds, conditions, events and the writes of doors. {@link
 * dev.berth.kubernetes.effects.EffectWriter} sends them, {@code WriteEncoders} encodes them, and {@code
 * ResponseClassifier} interprets the responses.
 */
@NullMarked
package dev.berth.kubernetes.effects;

import org.jspecify.annotations.NullMarked;
