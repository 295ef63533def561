/** The Reserve API as its callers have known it for years: two paths, JSON in, JSON or a text out. */
@NullMarked
package dev.berth.http.reserve;

import org.jspecify.annotations.NullMarked;
