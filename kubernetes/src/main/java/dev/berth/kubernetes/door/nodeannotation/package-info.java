/**
 * Parses the annotations of nodes that reserve resources. The package documentation of {@code
 * dev.berth.core.door.nodeannotation} has their way hop by hop.
 */
@NullMarked
package dev.berth.kubernetes.door.nodeannotation;

import org.jspecify.annotations.NullMarked;
