/** A small HTTP server with a router of its own, for the doors that others call. */
@NullMarked
package dev.berth.http;

import org.jspecify.annotations.NullMarked;
