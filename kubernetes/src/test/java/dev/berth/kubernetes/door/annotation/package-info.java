@NullMarked
package dev.berth.kubernetes.door.annotation;

import org.jspecify.annotations.NullMarked;
