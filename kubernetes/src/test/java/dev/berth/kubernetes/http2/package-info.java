/** Tests of the HTTP/2 client against a server that misbehaves on purpose. */
@NullMarked
package dev.berth.kubernetes.http2;

import org.jspecify.annotations.NullMarked;
