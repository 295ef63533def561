@NullMarked
package dev.berth.core.door.annotation;

import org.jspecify.annotations.NullMarked;
