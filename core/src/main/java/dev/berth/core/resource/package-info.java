/**
 * Amounts of resources. {@link dev.berth.core.resource.Quantity} parses and formats Kubernetes quantities. {@link
 * dev.berth.core.resource.Resources} is a vector of exact integers. {@link dev.berth.core.resource.PodRequests}
 * computes what a pod requests, and {@link dev.berth.core.resource.PodSlot} counts pods.
 */
@NullMarked
package dev.berth.core.resource;

import org.jspecify.annotations.NullMarked;
