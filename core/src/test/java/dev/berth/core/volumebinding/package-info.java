/** Tests of volumes, with builders of their objects. */
@NullMarked
package dev.berth.core.volumebinding;

import org.jspecify.annotations.NullMarked;
