@NullMarked
package dev.berth.embedded.defaults;

import org.jspecify.annotations.NullMarked;
