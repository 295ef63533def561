@NullMarked
package dev.berth.core.door.koordinator;

import org.jspecify.annotations.NullMarked;
