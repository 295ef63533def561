@NullMarked
package dev.berth.core.door.devices;

import org.jspecify.annotations.NullMarked;
