/** The nodes as rows of numbers by slot, with what they are to pods of one taste, and logs of what changed. */
@NullMarked
package dev.berth.core.placement.table;

import org.jspecify.annotations.NullMarked;
