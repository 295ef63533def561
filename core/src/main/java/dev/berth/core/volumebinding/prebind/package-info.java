/** PreBind of VolumeBinding: binds or provisions the volumes of assumed pods. */
@NullMarked
package dev.berth.core.volumebinding.prebind;

import org.jspecify.annotations.NullMarked;
