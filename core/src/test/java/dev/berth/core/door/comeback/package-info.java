@NullMarked
package dev.berth.core.door.comeback;

import org.jspecify.annotations.NullMarked;
