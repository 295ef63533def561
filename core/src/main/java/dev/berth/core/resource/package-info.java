/** Amounts of resources: Kubernetes quantities at the edge, exact integers inside. */
@NullMarked
package dev.berth.core.resource;

import org.jspecify.annotations.NullMarked;
