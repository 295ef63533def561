/**
 * The volume filters of kube-scheduler: VolumeRestrictions, NodeVolumeLimits, VolumeBinding and VolumeZone. {@link
 * dev.berth.core.volumebinding.filter.VolumePlugins} runs them.
 */
@NullMarked
package dev.berth.core.volumebinding.filter;

import org.jspecify.annotations.NullMarked;
