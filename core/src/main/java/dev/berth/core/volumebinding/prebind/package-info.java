/**
 * The PreBind part of {@link dev.berth.core.volumebinding.prebind.VolumeBinding}: binds or provisions the volumes of
 * assumed pods, and releases the bind when they are ready.
 */
@NullMarked
package dev.berth.core.volumebinding.prebind;

import org.jspecify.annotations.NullMarked;
