/** The API server on a loopback port: TLS, HTTP/1.1 and HTTP/2, bearer tokens, watches that respect slow readers. */
@NullMarked
package dev.berth.sandbox.http;

import org.jspecify.annotations.NullMarked;
