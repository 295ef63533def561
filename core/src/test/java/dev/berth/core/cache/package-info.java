@NullMarked
package dev.berth.core.cache;

import org.jspecify.annotations.NullMarked;
