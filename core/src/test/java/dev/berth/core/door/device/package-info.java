@NullMarked
package dev.berth.core.door.device;

import org.jspecify.annotations.NullMarked;
