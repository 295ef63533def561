/**
 * Reads and writes the objects of the device door: ExtendedResources and ExtendedResourceClaims. The package
 * documentation of {@code dev.berth.core.door.devices} has the way of these objects hop by hop.
 */
@NullMarked
package dev.berth.kubernetes.door.devices;

import org.jspecify.annotations.NullMarked;
