/** The HTTP/2 client against a server that behaves as badly as it is told to. */
@NullMarked
package dev.berth.kubernetes.http2;

import org.jspecify.annotations.NullMarked;
