@NullMarked
package dev.berth.core.text;

import org.jspecify.annotations.NullMarked;
