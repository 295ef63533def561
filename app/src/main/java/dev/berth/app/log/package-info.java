/** The log: one line an entry, for people or for machines. */
@NullMarked
package dev.berth.app.log;

import org.jspecify.annotations.NullMarked;
