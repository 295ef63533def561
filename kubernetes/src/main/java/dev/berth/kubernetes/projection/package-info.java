/**
 * Projections: read the objects of the API server into the small values that Berth keeps. {@link
 * dev.berth.kubernetes.projection.Projection} is the interface, with one implementation for each kind.
 */
@NullMarked
package dev.berth.kubernetes.projection;

import org.jspecify.annotations.NullMarked;
