/** The log format: text lines for users, or one JSON object a line for programs. */
@NullMarked
package dev.berth.app.log;

import org.jspecify.annotations.NullMarked;
