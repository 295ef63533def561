/** Devices and claims on them as the API server has them. */
@NullMarked
package dev.berth.kubernetes.door.devices;

import org.jspecify.annotations.NullMarked;
