/**
 * A small HTTP/2 client: many requests over one connection, and bodies as they arrive. Each request has either a
 * response or a failure that says whether the server may have processed it.
 */
@NullMarked
package dev.berth.kubernetes.http2;

import org.jspecify.annotations.NullMarked;
