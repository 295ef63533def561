/** Tests of the door's settings. */
@NullMarked
package dev.berth.core.door.koordinator.settings;

import org.jspecify.annotations.NullMarked;
