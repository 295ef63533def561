@NullMarked
package dev.berth.core.door.reserve;

import org.jspecify.annotations.NullMarked;
