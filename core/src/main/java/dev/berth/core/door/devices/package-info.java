/** Named devices and the claims that pods make on them: which are free, who gets which, and what their objects say. */
@NullMarked
package dev.berth.core.door.devices;

import org.jspecify.annotations.NullMarked;
