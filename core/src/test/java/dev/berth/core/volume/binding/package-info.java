/** Tests of binding volumes before pods, beside an API server and a controller of volumes in memory. */
@NullMarked
package dev.berth.core.volume.binding;

import org.jspecify.annotations.NullMarked;
