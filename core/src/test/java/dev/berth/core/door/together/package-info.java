@NullMarked
package dev.berth.core.door.together;

import org.jspecify.annotations.NullMarked;
