@NullMarked
package dev.berth.kubernetes.door.comeback;

import org.jspecify.annotations.NullMarked;
