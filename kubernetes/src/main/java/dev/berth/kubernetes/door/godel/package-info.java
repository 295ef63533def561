/**
 * Reads and writes the objects of the Gödel door: Reservations, Checkpoints, and the annotations of Deployments and
 * StatefulSets. The package documentation of {@code dev.berth.core.door.godel} has the way of a Reservation step by step.
 */
@NullMarked
package dev.berth.kubernetes.door.godel;

import org.jspecify.annotations.NullMarked;
