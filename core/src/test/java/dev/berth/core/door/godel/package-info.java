@NullMarked
package dev.berth.core.door.godel;

import org.jspecify.annotations.NullMarked;
