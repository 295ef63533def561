@NullMarked
package dev.berth.core.placement.table;

import org.jspecify.annotations.NullMarked;
