@NullMarked
package dev.berth.kubernetes.door.devices;

import org.jspecify.annotations.NullMarked;
