/** How calls and watches reach an API server: over HTTP to any, or in process to the embedded one. */
@NullMarked
package dev.berth.sandbox.client.transport;

import org.jspecify.annotations.NullMarked;
