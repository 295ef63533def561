@NullMarked
package dev.berth.core.hold;

import org.jspecify.annotations.NullMarked;
