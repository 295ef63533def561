/** The API server on a loopback port: TLS, HTTP/1.1 and HTTP/2, bearer tokens, watches with flow control. */
@NullMarked
package dev.berth.sandbox.http;

import org.jspecify.annotations.NullMarked;
