@NullMarked
package dev.berth.core.door.globalreserve;

import org.jspecify.annotations.NullMarked;
