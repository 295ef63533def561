/** JSON as callers send it: read within limits, and complained about in words that name the place. */
@NullMarked
package dev.berth.http.json;

import org.jspecify.annotations.NullMarked;
