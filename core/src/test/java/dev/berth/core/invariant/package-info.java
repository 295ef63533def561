@NullMarked
package dev.berth.core.invariant;

import org.jspecify.annotations.NullMarked;
