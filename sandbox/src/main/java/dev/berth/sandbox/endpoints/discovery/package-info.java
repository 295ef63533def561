/** Tells clients what is served: groups, versions, resources, the server's own version and its health. */
@NullMarked
package dev.berth.sandbox.endpoints.discovery;

import org.jspecify.annotations.NullMarked;
