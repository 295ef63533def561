@NullMarked
package dev.berth.kubernetes.door.godel;

import org.jspecify.annotations.NullMarked;
