@NullMarked
package dev.berth.core.door.reservation;

import org.jspecify.annotations.NullMarked;
