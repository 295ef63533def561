/** The log: for people in lines, or for machines with one JSON object a line. */
@NullMarked
package dev.berth.app.log;

import org.jspecify.annotations.NullMarked;
