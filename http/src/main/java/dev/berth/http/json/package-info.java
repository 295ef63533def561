/** Reads the JSON of HTTP callers within limits, with error messages that name the position. */
@NullMarked
package dev.berth.http.json;

import org.jspecify.annotations.NullMarked;
