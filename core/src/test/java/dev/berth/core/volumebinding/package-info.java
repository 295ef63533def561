/** Tests of volumes, with builders of their objects in words. */
@NullMarked
package dev.berth.core.volumebinding;

import org.jspecify.annotations.NullMarked;
