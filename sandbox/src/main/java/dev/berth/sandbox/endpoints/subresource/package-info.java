/** Subresources: binding, eviction, scale, status, resize, finalize and log. */
@NullMarked
package dev.berth.sandbox.endpoints.subresource;

import org.jspecify.annotations.NullMarked;
