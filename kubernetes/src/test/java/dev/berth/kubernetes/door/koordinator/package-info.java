@NullMarked
package dev.berth.kubernetes.door.koordinator;

import org.jspecify.annotations.NullMarked;
