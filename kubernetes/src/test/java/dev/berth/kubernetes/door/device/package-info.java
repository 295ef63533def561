@NullMarked
package dev.berth.kubernetes.door.device;

import org.jspecify.annotations.NullMarked;
