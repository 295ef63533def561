/** What lies below an object's path: binding, eviction, scale and the like. */
@NullMarked
package dev.berth.sandbox.endpoints.subresource;

import org.jspecify.annotations.NullMarked;
