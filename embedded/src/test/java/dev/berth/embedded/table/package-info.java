@NullMarked
package dev.berth.embedded.table;

import org.jspecify.annotations.NullMarked;
