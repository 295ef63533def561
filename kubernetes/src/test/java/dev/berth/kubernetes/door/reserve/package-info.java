@NullMarked
package dev.berth.kubernetes.door.reserve;

import org.jspecify.annotations.NullMarked;
