/** VolumeRestrictions, NodeVolumeLimits, VolumeBinding and VolumeZone as filters. */
@NullMarked
package dev.berth.core.volumebinding.filter;

import org.jspecify.annotations.NullMarked;
