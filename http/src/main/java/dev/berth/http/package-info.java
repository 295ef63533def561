/**
 * A small HTTP server with limits for memory, time and connections: {@link dev.berth.http.HttpListener} listens, and
 * {@link dev.berth.http.Router} finds the handler. Sub-packages have the APIs: {@code extender}, {@code globalreserve}
 * and {@code diagnostics}.
 */
@NullMarked
package dev.berth.http;

import org.jspecify.annotations.NullMarked;
