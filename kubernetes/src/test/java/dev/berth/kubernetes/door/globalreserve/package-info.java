@NullMarked
package dev.berth.kubernetes.door.globalreserve;

import org.jspecify.annotations.NullMarked;
