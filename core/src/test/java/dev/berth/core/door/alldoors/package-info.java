@NullMarked
package dev.berth.core.door.alldoors;

import org.jspecify.annotations.NullMarked;
