/**
 * A lean HTTP/2 client: many requests over one connection, bodies as they arrive, and for each request either an
 * answer or a failure that says whether the server can have acted on it.
 */
@NullMarked
package dev.berth.kubernetes.http2;

import org.jspecify.annotations.NullMarked;
