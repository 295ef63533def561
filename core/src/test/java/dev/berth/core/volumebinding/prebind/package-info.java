/** Tests of binding volumes before pods, beside an API server and a controller of volumes in memory. */
@NullMarked
package dev.berth.core.volumebinding.prebind;

import org.jspecify.annotations.NullMarked;
