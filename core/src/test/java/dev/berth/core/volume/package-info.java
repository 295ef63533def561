/** Tests of volumes, with builders of their objects in words. */
@NullMarked
package dev.berth.core.volume;

import org.jspecify.annotations.NullMarked;
