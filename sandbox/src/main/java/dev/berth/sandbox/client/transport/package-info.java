/** Calls and watches: over HTTP to any API server, or in process to the sandbox. */
@NullMarked
package dev.berth.sandbox.client.transport;

import org.jspecify.annotations.NullMarked;
